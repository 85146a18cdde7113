/** What begins to leave the wall: the first packet of a connection, and every datagram. Classic BPF on packets that start with their IP header. */
const ATTEMPTS: readonly (readonly [code: number, whenTrue: number, whenFalse: number, operand: number])[] = [
  // On their way in, not the answers.
  [0x20, 0, 0, 0xfffff004],
  [0x15, 0, 20, 0],
  [0x30, 0, 0, 0],
  [0x54, 0, 0, 0xf0],
  [0x15, 0, 9, 0x40],
  // The rest of a long datagram names no port.
  [0x28, 0, 0, 6],
  [0x45, 15, 0, 0x1fff],
  [0x30, 0, 0, 9],
  [0x15, 12, 0, 17],
  [0x15, 0, 12, 6],
  [0xb1, 0, 0, 0],
  [0x50, 0, 0, 13],
  [0x54, 0, 0, 0x12],
  [0x15, 7, 8, 2],
  [0x15, 0, 7, 0x60],
  [0x30, 0, 0, 6],
  [0x15, 4, 0, 17],
  [0x15, 0, 4, 6],
  [0x30, 0, 0, 53],
  [0x54, 0, 0, 0x12],
  [0x15, 0, 1, 2],
  [0x06, 0, 0, 96],
  [0x06, 0, 0, 0],
]

/** The filter of these, as the kernel takes it, in hexadecimal digits. */
export function attemptedPackets(): string {
  const bytes = Buffer.alloc(ATTEMPTS.length * 8)
  ATTEMPTS.forEach(([code, whenTrue, whenFalse, operand], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(whenTrue, index * 8 + 2)
    bytes.writeUInt8(whenFalse, index * 8 + 3)
    bytes.writeUInt32LE(operand, index * 8 + 4)
  })
  return bytes.toString('hex')
}
