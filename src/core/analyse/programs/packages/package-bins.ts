import { baseName } from '../../../model/basics/path.js'
import { known } from '../grammar/arguments.js'
import type { Call, Effect } from '../grammar/roles.js'

/** Packages whose program has another name. */
const BINS: ReadonlyMap<string, string> = new Map(
  `@changesets/cli changeset|netlify-cli netlify|firebase-tools firebase|aws-cdk cdk|eas-cli eas|@railway/cli railway
  |@aws-amplify/cli amplify|@vscode/vsce vsce|@shopify/cli shopify|@cloudflare/wrangler wrangler|@sanity/cli sanity|@angular/cli ng
  |@serverless/cli serverless|@expo/cli expo|sequelize-cli sequelize|@google/clasp clasp|@nestjs/cli nest|@prisma/cli prisma
  |@semantic-release/cli semantic-release|gh-pages-cli gh-pages|@docusaurus/core docusaurus|@lerna/cli lerna|chrome-webstore-upload-cli chrome-webstore-upload`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/** Programs of packages that publish. A package manager runs them unless the project has such a script. */
const SENDING = new Set(
  `semantic-release np release-it shipjs auto changeset lerna vercel netlify wrangler firebase surge gh-pages eas serverless sls cdk amplify
  railway supabase vsce ovsx jsr web-ext convex shopify clasp sst prisma sequelize-cli sequelize knex typeorm`.split(
    /\s+/,
  ),
)

/** Returns the program of a package: `netlify-cli@17`, `@changesets/cli`, `np@latest`. */
function binOf(text: string): string {
  const name = text.replace(/(.)@[^/]*$/, '$1')
  return BINS.get(name) ?? baseName(name)
}

/** `npx np@9` runs the program `np`. */
export function packageProgram({ operands, program }: Call): readonly Effect[] {
  const [first, ...rest] = operands
  if (!first?.text) return []
  const bin = binOf(first.text)
  return bin === '' || bin === baseName(first.text)
    ? []
    : [{ does: 'run', argv: [known(bin, first.span), ...rest], via: baseName(program) }]
}

/** `pnpm changeset publish`, `yarn semantic-release`: an unlisted subcommand is a program of a package. */
export function bareProgram({ operands, program }: Call): readonly Effect[] {
  const name = operands[0]?.text
  return name && SENDING.has(name) ? [{ does: 'run', argv: operands, via: baseName(program) }] : []
}

/** `node node_modules/.bin/np`, `node node_modules/np/cli.js`: runs the program of a package. */
export function installedProgram({ operands, options, program }: Call): readonly Effect[] {
  const [script, ...rest] = operands
  const name = /(?:^|\/)node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(script?.text ?? '')?.[1]
  if (!script || name === undefined || options.some((o) => /^(?:-[ep]|--eval|--print)$/.test(o.name))) return []
  const bin = binOf(name)
  return SENDING.has(bin) ? [{ does: 'run', argv: [known(bin, script.span), ...rest], via: baseName(program) }] : []
}
