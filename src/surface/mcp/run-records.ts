/** The whole records of the newest runs, as JSON text, for clients that read `cordon://run/<id>`. */
export interface RunRecords {
  add(id: string, record: unknown): void
  /** Takes an id; null for a run that is not among them. */
  get(id: string): string | null
  /** Newest first. */
  ids(): readonly string[]
}

const MAX_RUNS = 200
const MAX_CHARS = 32 * 1024 * 1024

/** Keeps the newest records in memory, by number and by size. The audit log has a row for each of the others. */
export function createRunRecords(): RunRecords {
  const records = new Map<string, string>()
  let chars = 0
  const forget = (id: string): void => {
    chars -= records.get(id)?.length ?? 0
    records.delete(id)
  }
  return {
    add(id, record) {
      const text = JSON.stringify(record)
      forget(id)
      records.set(id, text)
      chars += text.length
      for (const oldest of records.keys()) {
        if (oldest === id || (records.size <= MAX_RUNS && chars <= MAX_CHARS)) break
        forget(oldest)
      }
    },
    get: (id) => records.get(id) ?? null,
    ids: () => [...records.keys()].reverse(),
  }
}
