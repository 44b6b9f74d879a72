import type { TSchema } from 'typebox'
import type { Operation } from '#api/platform/operation/operation.ts'
import { NULL, ref } from './components.ts'

/** Describes the response of a success: an envelope, a CSV file, or both. */
export function describeSuccess(operation: Operation, status: number) {
  const { returns, example, paginated, summary } = operation
  const data = returns.at(-1) as TSchema
  if (isCsv(data)) return { description: summary, ...describeCsv(example.data) }
  const meta = paginated ? { page: 1, page_size: 20, total: 1, total_pages: 1 } : null
  const schema = {
    type: 'object',
    required: ['data', 'meta', 'error', 'error_code'],
    properties: { data, meta: paginated ? ref('PaginationMeta') : NULL, error: NULL, error_code: NULL },
  }
  const value = { data: example.data, meta, error: null, error_code: null }
  return {
    description: summary,
    content: {
      'application/json': { schema, example: value },
      ...(operation.csv ? describeCsv().content : {}),
    },
    ...STATUS_NOTES[status],
  }
}

/** Whether a response is always a CSV file. */
const isCsv = (data: TSchema): boolean =>
  (data as { contentMediaType?: string }).contentMediaType === 'text/csv'

const describeCsv = (example?: unknown) => ({
  content: {
    'text/csv': {
      schema: { type: 'string', description: 'UTF-8, separated by commas, with a header' },
      ...(example === undefined ? {} : { example }),
    },
  },
  headers: {
    'X-Total-Rows': { description: 'Rows below the header', required: true, schema: { type: 'integer' } },
  },
})

const STATUS_NOTES: Record<number, object> = {
  202: { description: 'Accepted: a worker processes it. Read the resource again for the result.' },
  302: {
    description: 'Redirects the browser',
    headers: { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
  },
}
