import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { streamBytes } from '#api/platform/input/stream-bytes.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { page, Reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import type { ColumnMapping, FileHeader } from '#shared/imports/file/header.ts'
import { findImport } from '#shared/imports/find-import.ts'
import type { ImportKind, ImportOptions } from '#shared/imports/import-job.ts'
import type { ImportJobDefinition } from '#shared/imports/jobs.ts'
import { queueImport } from '#shared/imports/lifecycle/queue-import.ts'
import { IMPORTS, listImports } from '#shared/imports/list-imports.ts'
import { receiveUpload } from '#shared/imports/receive-upload.ts'
import type { ImportViews } from '#shared/imports/view.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PageQuery } from '#shared/platform/http/query-parameters.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'
import { type FileQuery, fileQuery, toMapping } from './file-query.ts'
import { FILE_ERRORS, FILE_UPLOAD, MAX_IMPORT_BYTES } from './file-upload.ts'

interface ImportResource<P extends TProperties> {
  kind: ImportKind
  /** The path of the upload, and of the list of imports. */
  path: string
  jobsPath: string
  audit: { action: string; resource: string }
  /** The access to the reports and to the upload. */
  reads: ReturnType<typeof staff>
  writes: ReturnType<typeof staff>
  /** Texts of the API description: the formats besides mapped files, and the meaning of a row. */
  description: { formats: string; rows: string }
  /** The parameters that only this kind of import has. `readOptions` converts them into options. */
  parameters: P
  readOptions: (query: Static<TObject<P>>) => Omit<ImportOptions, 'mapping'>
  readHeader: (cells: string[], mapping: ColumnMapping | null) => Pick<FileHeader, 'format' | 'ignored'>
  job: ImportJobDefinition
  views: ImportViews
  examples: { file: string; queued: object; finished: object; error: object }
}

/** Returns the three operations on the imports of a kind: upload a file, list the imports, read a report. */
export const importEndpoints = <P extends TProperties>(resource: ImportResource<P>) => ({
  upload: uploadEndpoint(resource),
  list: listEndpoint(resource),
  read: reportEndpoint(resource),
})

const describeUpload = <P extends TProperties>({ description: { formats, rows } }: ImportResource<P>) =>
  'The body is the file, at most 50 MB. A worker imports it. The import shows the progress, the errors and the ' +
  'warnings.\n\n' +
  `The format is detected from the header: ${formats}. For any other file, \`columns\` maps its columns. The ` +
  'delimiter (comma, semicolon, tab or bar, or a line `sep=;`) and the encoding (UTF-8, UTF-16 or Windows-1252) are ' +
  'detected.\n\n' +
  `${rows}\n\n` +
  'An import creates and updates, and deletes nothing; a blank cell keeps the existing value. A row with an error is ' +
  'reported and skipped; the others are imported. A repeated import of a file changes nothing.'

const uploadEndpoint = <P extends TProperties>(resource: ImportResource<P>): Operation =>
  endpoint({
    method: 'post',
    path: resource.path,
    access: resource.writes,
    audit: resource.audit,
    summary: `Import ${resource.kind} from a CSV file`,
    description: describeUpload(resource),
    ...FILE_UPLOAD,
    query: Shape({ ...fileQuery, ...resource.parameters }),
    returns: [202, resource.views.View],
    errors: FILE_ERRORS,
    example: { body: resource.examples.file, data: resource.examples.queued },
    async handle({ store, staff, query, request, unitOfWork }) {
      const { kind, job, views, readHeader, readOptions } = resource
      const { dry_run: dryRun, columns, ...given } = query as FileQuery
      const mapping = toMapping(columns)
      const settings = { ...readOptions(given as Static<TObject<P>>), mapping }
      const upload = { kind, dryRun, createdBy: staff.id, settings }
      const file = streamBytes(request.stream, MAX_IMPORT_BYTES)
      const received = await receiveUpload(store.id, upload, file, (cells) => readHeader(cells, mapping))
      return unitOfWork.inStore(store.id, async (tx) => views.view(await queueImport(tx, received, job)))
    },
  })

const listEndpoint = <P extends TProperties>({
  kind,
  jobsPath,
  reads,
  views,
  examples,
}: ImportResource<P>): Operation =>
  endpoint({
    method: 'get',
    path: jobsPath,
    access: reads,
    paginated: true,
    summary: `List the imports of ${kind}, the latest first`,
    query: listQuery(IMPORTS),
    returns: [200, Type.Array(views.View)],
    example: { data: [examples.finished] },
    async handle({ tx, query }) {
      return page(await listImports(tx, kind, query), query, views.view)
    },
  })

const reportEndpoint = <P extends TProperties>({
  kind,
  jobsPath,
  reads,
  views,
  examples,
}: ImportResource<P>): Operation =>
  endpoint({
    method: 'get',
    path: `${jobsPath}/:id`,
    access: reads,
    summary: `Read the progress, the errors and the warnings of an import of ${kind}`,
    description:
      'Progress and counts increase while it runs. `meta` pages `errors`. At most 10,000 errors and 10,000 warnings ' +
      'are saved.',
    params: Shape({ id: Uuid }),
    query: Shape(PageQuery),
    returns: [200, views.Report],
    paginated: true,
    errors: [CommonErrors.notFound],
    example: { data: { ...examples.finished, errors: [examples.error] } },
    async handle({ tx, params, query }) {
      const { job, notes, total } = await findImport(tx, params.id, kind, query)
      return new Reply(views.report(job, notes), { meta: pageMeta(total, query) })
    },
  })
