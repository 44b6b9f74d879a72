import type { Batch } from '#shared/imports/file/read-batches.ts'
import type { RowNote } from '#shared/imports/file/row-note.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { ImportJob } from './import-job.ts'

/** Records that a batch is imported, with its counts, faults and warnings. */
export async function recordImportProgress(
  tx: StoreTx,
  job: ImportJob,
  { end, blankRows }: Batch<unknown>,
  { counts, notes }: { counts: Record<string, number>; notes: RowNote[] },
): Promise<void> {
  const errors = notes.filter(({ severity }) => severity === 'error').length
  await recordNotes(tx, job, notes)
  await ImportJob.in(tx)
    .where('id', job.id)
    .patch({
      rowsIgnored: job.rowsIgnored + blankRows,
      bytesDone: end.byte,
      linesDone: end.line,
      counts: Object.fromEntries(
        Object.entries(counts).map(([name, count]) => [name, (job.counts[name] ?? 0) + count]),
      ),
      errorCount: job.errorCount + errors,
      warningCount: job.warningCount + notes.length - errors,
    })
}

// In a file full of faults, the first ones are enough to correct it.
const MAX_RECORDED_NOTES = 10_000
/** A note with its entries in two indexes takes about this many bytes beside its texts. */
const NOTE_BYTES = 300
// All notes of a batch have more values than PostgreSQL accepts in a statement.
const NOTES_PER_STATEMENT = 1_000

/**
 * Records notes, up to `MAX_RECORDED_NOTES` errors and as many warnings of an import. They count among the stored
 * bytes, because a cell of two bytes can cause a note.
 */
export async function recordNotes(tx: StoreTx, job: ImportJob, notes: RowNote[]): Promise<void> {
  const before = { error: job.errorCount, warning: job.warningCount }
  const recorded = (['error', 'warning'] as const).flatMap((severity) =>
    notes
      .filter((note) => note.severity === severity)
      .toSorted((a, b) => a.line - b.line)
      .slice(0, Math.max(0, MAX_RECORDED_NOTES - before[severity])),
  )
  const rows = recorded.map((note) => ({ store_id: tx.storeId, id: newId(), job_id: job.id, ...note }))
  tx.noteStored(recorded.reduce((sum, note) => sum + NOTE_BYTES + textBytes(note), 0))
  for (const slice of slicesOf(rows, NOTES_PER_STATEMENT)) await tx.knex('import_notes').insert(slice)
}

const textBytes = ({ field, message, value }: RowNote): number =>
  Buffer.byteLength(`${field ?? ''}${message}${value ?? ''}`)
