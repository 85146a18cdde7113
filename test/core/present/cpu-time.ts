/** Milliseconds of processor time an action takes: the same on a busy machine as on an idle one. */
export function cpuMs(action: () => void): number {
  const before = process.cpuUsage()
  action()
  return process.cpuUsage(before).user / 1000
}
