import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

export const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The cells of every table row of a page, without the heading and its rule. */
export function rows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n')
  const isRule = (line: string | undefined): boolean => line !== undefined && /^\|(?:\s*:?-+:?\s*\|)+$/.test(line)
  return lines
    .filter((line, i) => line.startsWith('|') && !isRule(line) && !isRule(lines[i + 1]))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
}

export interface Block {
  readonly language: string
  readonly text: string
}

/** Every fenced block of a page, in order. */
export const blocks = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))

/** Targets of the links of a page that lead to files of the repository, without their anchors. */
export const links = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))

export function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}
