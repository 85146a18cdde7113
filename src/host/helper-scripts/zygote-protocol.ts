/** Order to the zygote host. Numbers are descriptors of the engine, which the host opens again. */
export type ZygoteOrder =
  | {
      readonly verb: 'open'
      readonly template: string
      /** Pid of the template's init. */
      readonly pid: number
      readonly setup: number
      readonly report: number
    }
  | {
      readonly verb: 'clone'
      readonly template: string
      readonly clone: string
      readonly secret: string
      /** Standard input, output and error, and the descriptor on which its shell waits. */
      readonly descriptors: readonly number[]
      /** Cgroup files by which it enters them. */
      readonly cgroupFiles: readonly string[]
    }
  | { readonly verb: 'close'; readonly template: string }
  | { readonly verb: 'start'; readonly order: number }

/** Formats an order as the one line the zygote host reads. */
export function formatZygoteOrder(order: ZygoteOrder): string {
  switch (order.verb) {
    case 'open':
      return `open ${order.template} ${order.pid} ${order.setup} ${order.report}`
    case 'clone': {
      const cgroupFiles = order.cgroupFiles.map((path) => Buffer.from(path).toString('hex'))
      return ['clone', order.template, order.clone, order.secret, ...order.descriptors, ...cgroupFiles].join(' ')
    }
    case 'close':
      return `close ${order.template}`
    case 'start':
      return `start ${order.order}`
  }
}

/** Answer of the zygote host. */
export type ZygoteAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened'; readonly template: string }
  | { readonly kind: 'refused'; readonly template: string; readonly clone: string }
  | { readonly kind: 'unstarted'; readonly order: number }
  | { readonly kind: 'unreadable'; readonly line: string }

const ANSWER = /^(?:(ready)|opened (\d+)|refused (\d+) (\d+)|unstarted (\d+))$/

/** Parses a line of the zygote host. Never throws. */
export function parseZygoteAnswer(line: string): ZygoteAnswer {
  const [, ready, opened, template, clone, order] = ANSWER.exec(line) ?? []
  if (ready !== undefined) return { kind: 'ready' }
  if (opened !== undefined) return { kind: 'opened', template: opened }
  if (template !== undefined && clone !== undefined) return { kind: 'refused', template, clone }
  if (order !== undefined) return { kind: 'unstarted', order: Number(order) }
  return { kind: 'unreadable', line }
}

/** Report of a zygote: ready, or a status line of one of its clones, as `StatusReport` reads it. */
export type ZygoteReport =
  | { readonly kind: 'template' }
  | { readonly kind: 'clone'; readonly clone: string; readonly status: string }
  | { readonly kind: 'unreadable'; readonly line: string }

/** Parses a line that a zygote reports. Never throws. */
export function parseZygoteReport(line: string): ZygoteReport {
  const [, clone, status] = /^(\d+) (\{.*\})$/.exec(line) ?? []
  if (clone === undefined || status === undefined) return { kind: 'unreadable', line }
  return clone === '0' ? { kind: 'template' } : { kind: 'clone', clone, status }
}
