import objection from 'objection'
import type { AuditEntry } from './entry.ts'

const { parse, format } = objection.snakeCaseMappers()

/** An entry as its table's columns. */
export const toColumns = (entry: AuditEntry): Record<string, unknown> => ({
  ...format({ ...entry }),
  before: JSON.stringify(entry.before),
  after: JSON.stringify(entry.after),
})

/** An entry out of its table's columns. */
export const toEntry = (columns: Record<string, unknown>): AuditEntry =>
  parse(columns) as unknown as AuditEntry
