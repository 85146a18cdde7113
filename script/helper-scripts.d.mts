import type { Plugin } from 'rolldown'

export declare const helperScripts: Plugin
