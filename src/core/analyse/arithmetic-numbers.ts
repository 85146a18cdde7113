/** Numbers as bash computes with them: 64 bits, wrapped around. Null stands for one that is not known. */

export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value)
export const truth = (value: boolean): bigint => (value ? 1n : 0n)

/** What a binary operator makes of two numbers; null where bash makes an error of them. */
export function apply(operator: string, a: bigint, b: bigint): bigint | null {
  switch (operator) {
    case '+':
      return wrap(a + b)
    case '-':
      return wrap(a - b)
    case '*':
      return wrap(a * b)
    case '/':
      return b === 0n ? null : wrap(a / b)
    case '%':
      return b === 0n ? null : a % b
    case '<<':
      return wrap(a << (b & 63n))
    case '>>':
      return a >> (b & 63n)
    case '<':
      return truth(a < b)
    case '>':
      return truth(a > b)
    case '<=':
      return truth(a <= b)
    case '>=':
      return truth(a >= b)
    case '==':
      return truth(a === b)
    case '!=':
      return truth(a !== b)
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '**':
      return b < 0n ? null : power(a, b)
    default:
      return null
  }
}

/** By squaring, and no longer than 64 bits at any time. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * square)
    square = wrap(square * square)
  }
  return result
}

/** `&&` and `||`, of which one side may be enough. */
export function logical(operator: string, left: bigint | null, right: bigint | null): bigint | null {
  const decided = operator === '&&' ? 0n : 1n
  const is = (value: bigint | null): bigint | null => (value === null ? null : truth(value !== 0n))
  if (is(left) === decided || is(right) === decided) return decided
  return left === null || right === null ? null : 1n - decided
}

/** Nobody writes longer numbers, and to read them takes the square of their length. */
const DIGITS = 256

/** A number as it is written, in any base. */
export function toNumber(text: string): bigint | null {
  const based = /^(\d+)#([0-9a-zA-Z@_]+)$/.exec(text)
  if (!based) {
    if (text.length > DIGITS) return null
    if (/^0[0-7]+$/.test(text)) return wrap(BigInt(`0o${text.slice(1)}`))
    return /^0\d/.test(text) ? null : wrap(BigInt(text))
  }
  const base = Number(based[1])
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_'
  const body = base <= 36 ? (based[2] ?? '').toLowerCase() : (based[2] ?? '')
  let value = 0n
  for (const c of body) {
    const digit = digits.indexOf(c)
    if (digit < 0 || digit >= base) return null
    value = wrap(value * BigInt(base) + BigInt(digit))
  }
  return value
}
