#!/usr/bin/env -S -u NODE_OPTIONS node
// `cordon-shell` is an executable of its own, for agents take the path of a shell and no arguments. It is the command
// line by another name. Without NODE_OPTIONS: agents start their hooks by it too, and what a module prints as it is
// loaded would make a deny a run.
process.argv.splice(2, 0, '\0shell')
require(`${__dirname}/bin.cjs`)
