import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi } from '#api/docs/describe.ts'
import { readSchemaNames } from '#api/docs/schema-names.ts'
import { endpoints } from './endpoints.ts'

// Writes api/openapi.json. With --check it fails if the file differs from the endpoints.
const file = join(import.meta.dirname, 'openapi.json')
const description = `${JSON.stringify(describeApi(endpoints, await readSchemaNames()), null, 2)}\n`

if (!process.argv.includes('--check')) {
  await writeFile(file, description)
  console.log(`Wrote ${endpoints.length} operations to api/openapi.json`)
} else if ((await readFile(file, 'utf8').catch(() => '')) !== description) {
  console.error('api/openapi.json is out of date. Run `npm run openapi` and commit the file.')
  process.exitCode = 1
}
