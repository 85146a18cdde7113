#!/usr/bin/env node
// `cordon-shell` is an executable of its own, for agents take the path of a shell and no arguments. It is the command
// line by another name.
process.argv.splice(2, 0, '\0shell')
require(`${__dirname}/bin.cjs`)
