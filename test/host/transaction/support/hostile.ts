import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { treeOf } from '../../../contract/transaction-tree.js'
import { ATTRIBUTE_FUNCTIONS } from '../attributes/attribute-script.js'
import { overlayWorkspace } from './overlay-run.js'

type Space = ReturnType<typeof overlayWorkspace>
type Facts = Readonly<Record<string, unknown>>

const text = (path: string): string => readFileSync(path, 'utf8')
const SOCKET = `perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un($ARGV[0])) or die $!'`

/** Attacks of commands on the process that commits their changes; each reports its outcome. */
export const ATTACKS: Readonly<Record<string, (space: Space) => Promise<Facts>>> = {
  'a directory replaced by a link to a place outside': async (space) => {
    const outside = join(space.top, 'outside')
    mkdirSync(join(outside, 'deep'), { recursive: true })
    writeFileSync(join(outside, 'b.txt'), 'precious')
    writeFileSync(join(outside, 'deep/c.txt'), 'precious')
    const before = treeOf(outside)
    const { report } = await space.run(`rm -rf src; ln -s ${outside} src; ln -s / root; ln -s ${outside} new`)
    const undone = await space.transactions.undo(report?.id ?? '')
    const untouched = JSON.stringify(treeOf(outside)) === JSON.stringify(before)
    return { outcome: report?.outcome, conflicts: undone.conflicts, untouched, back: text(space.at('src/b.txt')) }
  },

  'pipes, sockets and devices where text was': async (space) => {
    const script = `rm a.txt; mkfifo a.txt; ${SOCKET} sock; mkfifo new; mknod null c 1 3; mknod tool.new c 0 0; true`
    const { report } = await space.run(script)
    const notes = space.transactions.diff(report?.id ?? '').map(({ note }) => note)
    return {
      outcome: report?.outcome,
      kinds: ['a.txt', 'sock', 'new'].map((name) => {
        const stats = lstatSync(space.at(name))
        return stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'other'
      }),
      shown: notes.some((note) => note?.startsWith('not a regular file')),
      whiteout: existsSync(space.at('tool.new')),
    }
  },

  'attributes that overlayfs would obey': async (space) => {
    const set = ['opaque y', 'whiteout y', 'redirect /etc', 'metacopy x', 'origin x']
      .map((pair) => `set_attribute src user.overlay.${pair}; set_attribute new user.overlay.${pair}`)
      .join('; ')
    const { report } = await space.run(
      `${ATTRIBUTE_FUNCTIONS}; mkdir new; echo n > new/n; ${set}; set_attribute a.txt trusted.overlay.opaque y; true`,
    )
    const again = await space.run('ls src new; cat new/n src/b.txt src/deep/c.txt a.txt && echo x > src/x')
    return {
      outcome: report?.outcome,
      again: again.report?.outcome,
      still: [text(space.at('src/b.txt')), text(space.at('src/deep/c.txt')), text(space.at('new/n'))],
    }
  },

  'directories deeper than any path can name': async (space) => {
    const before = JSON.stringify(treeOf(space.workspace))
    const name = 'd'.repeat(200)
    const { report } = await space.run(
      `echo x >> a.txt; for i in $(seq 40); do mkdir ${name} && cd ./${name} || exit 9; done; echo deep > deep`,
    )
    const failed = await space.run(`for i in $(seq 40); do mkdir ${name} && cd ./${name} || exit 9; done; exit 3`)
    await space.transactions.close()
    return {
      outcomes: [report?.outcome, failed.report?.outcome],
      warned: report?.warning?.includes('cannot apply the changes'),
      same: JSON.stringify(treeOf(space.workspace)) === before,
      left: existsSync(join(space.state, 'undo-store')) ? readdirSync(join(space.state, 'undo-store')) : [],
    }
  },

  'names that look like options, places and patterns': async (space) => {
    const { report } = await space.run(
      `printf x > ./-rf; printf x > './--help'; printf x > '...'; printf x > '*'; printf x > '~'; mkdir './-d'; printf x > "./-d/\${IFS}"; mv a.txt ./-a`,
    )
    const undone = await space.transactions.undo(report?.id ?? '')
    return { outcome: report?.outcome, conflicts: undone.conflicts, back: existsSync(space.at('a.txt')) }
  },

  'files become directories and directories files': async (space) => {
    const before = JSON.stringify(treeOf(space.workspace))
    const script =
      'rm a.txt; mkdir a.txt; echo in > a.txt/in; rm -rf src; echo file > src; rm link; mkdir -p link/a; rm -r empty; ln -s a.txt empty'
    const { report } = await space.run(script)
    const made = [text(space.at('a.txt/in')), text(space.at('src'))]
    const undone = await space.transactions.undo(report?.id ?? '')
    const same = JSON.stringify(treeOf(space.workspace)) === before
    return { outcome: report?.outcome, made, conflicts: undone.conflicts, same }
  },

  'more files than a report can name': async (space) => {
    const { report } = await space.run('mkdir many; cd many; seq 3000 | xargs touch')
    const undone = await space.transactions.undo(report?.id ?? '')
    const { counts, list, omitted } = report?.changes ?? {}
    return {
      created: counts?.created,
      named: list?.length,
      omitted,
      back: [undone.conflicts, existsSync(space.at('many'))],
    }
  },
}

/** Runs everything above in order, as the current user. */
export async function attacked(): Promise<Readonly<Record<string, Facts>>> {
  const came: Record<string, Facts> = {}
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const space = overlayWorkspace()
    try {
      came[name] = await attack(space)
    } catch (error) {
      came[name] = { threw: error instanceof Error ? error.message : String(error) }
    } finally {
      await space.remove()
    }
  }
  return came
}
