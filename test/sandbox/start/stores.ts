import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seedCoffeeSubscriptions } from '#migrations/seeds/coffee-subscriptions.ts'
import { DEMO_STORES, type DemoStore, seedStore } from '#migrations/seeds/demo-stores.ts'
import { seedYearOfOrders } from '#migrations/seeds/year-of-orders.ts'
import { closeDb, db } from '#shared/platform/db/db.ts'
import { closeQueues } from '#shared/platform/jobs/sender.ts'
import type { SandboxAccess } from '#test/scenarios/access.ts'
import { offerSignIn, SIGNED_IN_STORE } from './identity-provider.ts'
import { hostPictures } from './pictures.ts'
import { type SandboxSecrets, saveSecrets } from './secrets.ts'
import { CONNECTED_STORE, connectTill } from './till.ts'

interface Opening {
  dir: string
  baseUrl: string
  identityProviderUrl: string
  tillUrl: string
  secrets: SandboxSecrets
  say: (what: string) => void
}

/**
 * Creates the missing demo stores, imports their catalogs over HTTP and furnishes them with a year of orders and
 * subscriptions.
 */
export async function openStores({
  dir,
  baseUrl,
  identityProviderUrl,
  tillUrl,
  secrets,
  say,
}: Opening): Promise<SandboxAccess['stores']> {
  const opened: SandboxAccess['stores'] = []
  for (const demo of DEMO_STORES) {
    let id = await findStore(demo.slug)
    if (!id) {
      const seeded = await seedStore(demo)
      id = seeded.id
      secrets.publishableKeys[demo.slug] = seeded.publishableKey
      await saveSecrets(dir, secrets)
    }
    if (demo.slug === SIGNED_IN_STORE) await offerSignIn(id, baseUrl, identityProviderUrl)
    if (demo.slug === CONNECTED_STORE) await connectTill(id, tillUrl)
    const publishable_key = secrets.publishableKeys[demo.slug] ?? ''
    // Checked at every start, since the last one may have stopped before its import ended.
    if (await isEmpty(baseUrl, publishable_key)) await importCatalog(demo, baseUrl, say)
    const orders = await seedYearOfOrders(id)
    if (orders > 0) say(`${demo.name}: a year of ${orders} orders`)
    const subscriptions = await seedCoffeeSubscriptions(id)
    if (subscriptions > 0) say(`${demo.name}: ${subscriptions} subscriptions to a coffee`)
    const { slug, domain, owner, staff } = demo
    opened.push({
      id,
      slug,
      domain,
      publishable_key,
      owner: signIn(owner),
      staff: staff.map((one) => ({ ...signIn(one), role: one.role })),
    })
  }
  await closeQueues()
  await closeDb()
  return opened
}

const signIn = ({ email, password }: { email: string; password: string }) => ({ email, password })

const findStore = async (slug: string): Promise<string | undefined> =>
  (await db()('stores').where({ slug }).first('id'))?.id

async function isEmpty(baseUrl: string, key: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/v1/products`, { headers: { 'X-Service-Key': key } })
  const { meta } = (await response.json()) as { meta: { total: number } | null }
  return meta?.total === 0
}

const POLL_MS = 100

/** Signs in as the owner, uploads the pictures and the file, and waits until the import job ends. */
async function importCatalog(demo: DemoStore, baseUrl: string, say: Opening['say']): Promise<void> {
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, body: body ?? null })
    const answer = (await response.json()) as { data: Record<string, unknown>; error: string | null }
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error}`)
    return answer.data
  }
  const json = { 'Content-Type': 'application/json' }
  const session = await call('POST', '/auth/login', json, JSON.stringify(signIn(demo.owner)))
  const authorization = { Authorization: `Bearer ${session.access_token}` }
  const file = await readFile(join(import.meta.dirname, '..', demo.catalogFile), 'utf8')
  const upload = async (picture: Buffer) => {
    const type = { ...authorization, 'Content-Type': 'image/png' }
    let image = await call('POST', '/admin/images', type, new Uint8Array(picture))
    while (image.status === 'processing') {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      image = await call('GET', `/admin/images/${image.id}`, authorization)
    }
    return String(image.url)
  }
  let job = await call(
    'POST',
    '/admin/products/import',
    { ...authorization, 'Content-Type': 'text/csv' },
    await hostPictures(file, upload),
  )
  while (job.status !== 'succeeded') {
    if (job.status === 'failed') throw new Error(`The import of ${demo.catalogFile} failed: ${job.failure}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    job = await call('GET', `/admin/catalog-jobs/${job.id}`, authorization)
  }
  say(`${demo.name}: ${job.products_created} products, ${job.variants_created} variants imported`)
}
