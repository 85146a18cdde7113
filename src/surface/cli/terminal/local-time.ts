/** `2026-11-18 20:15 +01:00`: a moment in the time zone of this machine. */
export function localTime(iso: string): string {
  const at = new Date(iso)
  const two = (value: number): string => String(Math.abs(value)).padStart(2, '0')
  const offset = -at.getTimezoneOffset()
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  return `${day} ${time} ${offset < 0 ? '-' : '+'}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`
}
