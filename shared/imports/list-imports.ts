import { Type } from 'typebox'
import { type FilterOf, List } from '#shared/platform/db/list.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { toColumnName } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { ImportJob, type ImportKind } from './import-job.ts'
import { IMPORT_STATUSES } from './states.ts'

/** The list of imports. */
export const IMPORTS = new List({
  sorts: { created_at: 'created_at' },
  order: '-created_at',
  searches: 'Part of the kind, the format or the failure',
  text: ['kind', 'format', 'failure'],
  updatedAt: 'coalesce(finished_at, started_at, created_at)',
  filters: {
    status: Type.Optional(Type.Enum([...IMPORT_STATUSES])),
  },
})

export type ImportFilter = FilterOf<typeof IMPORTS>

// The properties that a list shows. A page of the headers of files, with 20,000 names each, would block the process
// while the driver reads them.
const LISTED = [
  'storeId',
  'id',
  'kind',
  'status',
  'dryRun',
  'format',
  'encoding',
  'delimiter',
  'ignoredColumns',
  'rowsIgnored',
  'bytesTotal',
  'bytesDone',
  'linesDone',
  'counts',
  'errorCount',
  'warningCount',
  'failure',
  'createdBy',
  'createdAt',
  'startedAt',
  'finishedAt',
] as const satisfies readonly (keyof ImportJob)[]

/** Returns one page of the imports of a kind, with the properties that a list shows. */
export function listImports(
  tx: StoreTx,
  kind: ImportKind,
  { status, ...filter }: ImportFilter,
): PromiseLike<Page<ImportJob>> {
  const matching = ImportJob.in(tx).where({ kind, ...(status ? { status } : {}) })
  return IMPORTS.page(matching.select(LISTED.map(toColumnName)), filter)
}
