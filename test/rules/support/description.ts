import { describeApi } from '#api/docs/describe.ts'
import { readSchemaNames } from '#api/docs/schema-names.ts'
import { endpoints } from '#api/endpoints.ts'

/** The API description, generated from the endpoints. */
export const description = describeApi(endpoints, await readSchemaNames())
