import type { Operation } from '#api/platform/operation/operation.ts'

/** Returns the schema of a body that is a file, alone or as a part of a form. */
const schemaOfFile = (type: string) =>
  type === 'multipart/form-data'
    ? {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      }
    : { type: 'string', contentMediaType: type }

/** Describes the body of a request. */
export function describeRequestBody({
  body,
  accepts,
  alsoAccepts = [],
  rawBody,
  example,
  access,
  method,
}: Operation) {
  if (!body && accepts === 'application/json' && !rawBody) return {}
  if (!body && (method === 'get' || method === 'delete')) return {}
  const schema = body ?? { type: rawBody ? 'object' : 'string' }
  return {
    requestBody: {
      required: access.kind !== 'open' || Boolean(body),
      content: {
        [accepts]: { schema, ...(example.body === undefined ? {} : { example: example.body }) },
        ...Object.fromEntries(alsoAccepts.map((type) => [type, { schema: schemaOfFile(type) }])),
      },
    },
  }
}
