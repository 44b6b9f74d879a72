import { readFile } from 'node:fs/promises'
import { DEMO_STORES, seedStore } from '#migrations/seeds/demo-stores.ts'
import { importCsv } from '#test/support/builders/import.ts'
import { request } from '#test/support/processes/app.ts'

/** A demo store with its catalog, and an access token of its owner. */
export async function openDemoStore(slug: string): Promise<{ id: string; token: string }> {
  const demo = DEMO_STORES.find((one) => one.slug === slug)
  if (!demo) throw new Error(`No demo store is ${slug}`)
  const { id } = await seedStore(demo)
  const { email, password } = demo.owner
  const { data: session } = await request('POST /auth/login', { body: { email, password } })
  const file = await readFile(`test/sandbox/${demo.catalogFile}`, 'utf8')
  await importCsv({ id }, session.access_token, file)
  return { id, token: session.access_token }
}
