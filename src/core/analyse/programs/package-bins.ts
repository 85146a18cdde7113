import { baseName } from '../../model/path.js'
import { known } from './arguments.js'
import type { Call, Effect } from './knowledge.js'

/** Packages whose program has another name than they have. */
const BINS: ReadonlyMap<string, string> = new Map(
  `@changesets/cli changeset|netlify-cli netlify|firebase-tools firebase|aws-cdk cdk|eas-cli eas|@railway/cli railway
  |@aws-amplify/cli amplify|@vscode/vsce vsce|@shopify/cli shopify|@cloudflare/wrangler wrangler|@sanity/cli sanity|@angular/cli ng
  |@serverless/cli serverless|@expo/cli expo|sequelize-cli sequelize|@google/clasp clasp|@nestjs/cli nest|@prisma/cli prisma
  |@semantic-release/cli semantic-release|gh-pages-cli gh-pages|@docusaurus/core docusaurus|@lerna/cli lerna|chrome-webstore-upload-cli chrome-webstore-upload`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/** Programs of packages that send something away: a package manager runs them by their bare name, unless the project has a script of it. */
const SENDING = new Set(
  `semantic-release np release-it shipjs auto changeset lerna vercel netlify wrangler firebase surge gh-pages eas serverless sls cdk amplify
  railway supabase vsce ovsx jsr web-ext convex shopify clasp sst prisma sequelize-cli sequelize knex typeorm`.split(
    /\s+/,
  ),
)

/** `netlify-cli@17`, `@changesets/cli`, `np@latest`: the program a package is run for. */
function binOf(text: string): string {
  const name = text.replace(/(.)@[^/]*$/, '$1')
  return BINS.get(name) ?? baseName(name)
}

/** `npx np@9`: the program that runs is `np`. */
export function packageProgram({ operands, program }: Call): readonly Effect[] {
  const [first, ...rest] = operands
  if (!first?.text) return []
  const bin = binOf(first.text)
  return bin === '' || bin === baseName(first.text)
    ? []
    : [{ does: 'run', argv: [known(bin, first.span), ...rest], via: baseName(program) }]
}

/** `pnpm changeset publish`, `yarn semantic-release`: without a word for it, a program of a package. */
export function bareProgram({ operands, program }: Call): readonly Effect[] {
  const name = operands[0]?.text
  return name && SENDING.has(name) ? [{ does: 'run', argv: operands, via: baseName(program) }] : []
}

/** `node node_modules/.bin/np`, `node node_modules/np/cli.js`: a program of a package, started by hand. */
export function installedProgram({ operands, options, program }: Call): readonly Effect[] {
  const [script, ...rest] = operands
  const name = /(?:^|\/)node_modules\/(?:\.bin\/)?((?:@[^/]+\/)?[^/]+)/.exec(script?.text ?? '')?.[1]
  if (!script || name === undefined || options.some((o) => /^(?:-[ep]|--eval|--print)$/.test(o.name))) return []
  const bin = binOf(name)
  return SENDING.has(bin) ? [{ does: 'run', argv: [known(bin, script.span), ...rest], via: baseName(program) }] : []
}
