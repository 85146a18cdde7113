import { decodeBase16, decodeBase32, decodeBase64, encodeBase64 } from './encodings.js'
import { filter, isOption, operandsOf } from './filter.js'
import { gnuOptions } from './gnu-options.js'

const BASED = 'd/decode i/ignore-garbage w/wrap='
export const base64 = filter((args) => {
  const call = gnuOptions(args, BASED) ?? gnuOptions(args, 'D/decode i/ignore-garbage w/wrap=')
  if (!call) return null
  const { flags, values, operands } = call
  const wrap = values.get('w')
  return {
    files: operands,
    change: (text) =>
      flags.has('d') || flags.has('D')
        ? decodeBase64(text, flags.has('i'))
        : (wrap === undefined && text.length > 56) || (wrap ?? '0') !== '0'
          ? null
          : encodeBase64(text).replace(/\n$/, wrap === '0' ? '' : '\n'),
  }
})
export const base32 = filter((args) => {
  const call = gnuOptions(args, BASED)
  return call?.flags.has('d')
    ? { files: call.operands, change: (text) => decodeBase32(text, call.flags.has('i')) }
    : null
})
export const basenc = filter((args) => {
  const call = gnuOptions(args, `${BASED} /base64 /base64url /base32 /base16 /base32hex /base2msbf /base2lsbf /z85`)
  if (!call?.flags.has('d')) return null
  const ignores = call.flags.has('i')
  const codes = [...call.flags].filter((flag) => flag.length > 1)
  if (codes.length !== 1) return null
  const change = DECODERS[codes[0] ?? '']
  return change ? { files: call.operands, change: (text) => change(text, ignores) } : null
})
const DECODERS: Readonly<Record<string, (text: string, ignores: boolean) => string | null>> = {
  base64: decodeBase64,
  base64url: (text, ignores) =>
    /[+/]/.test(text) ? null : decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'), ignores),
  base32: decodeBase32,
  base16: (text, ignores) => (ignores || /[a-f \t]/.test(text) ? null : decodeBase16(text)),
}
export const xxd = filter((args) => {
  const options = args.filter(isOption)
  const plain = options.some((arg) => /^-(p|ps|plain|postscript)$/.test(arg))
  const reverts = options.some((arg) => /^-(r|revert)$/.test(arg))
  const files = operandsOf(args)
  const isRead = options.every((arg) => /^-(p|ps|plain|postscript|r|revert)$/.test(arg))
  // A second file is written.
  return plain && reverts && isRead && files.length < 2 ? { files, change: decodeBase16 } : null
})
export const openssl = filter((args) => {
  const based = args.includes('base64') || args.includes('-base64') || args.includes('-a')
  const understood = /^(base64|enc|-base64|-a|-A|-d|-in)$/
  const at = args.indexOf('-in')
  const isRead = args.every((arg, i) => understood.test(arg) || (at >= 0 && i === at + 1))
  return based && args.includes('-d') && isRead
    ? { files: at < 0 ? [] : [args[at + 1] ?? ''], change: (text) => decodeBase64(text.replace(/\r/g, ''), false) }
    : null
})
