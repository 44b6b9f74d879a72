import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/**
 * A domain of `shared` may import what stands left of it, and itself. `mail` stands far left: it knows how a mail is
 * written and queued, while each domain after it writes its own. `identity` is what a person can do as customer and as
 * staff alike, so it stands right of both.
 */
const DOMAINS = [
  'platform',
  'audit',
  'geo',
  'stores',
  'mail',
  'accounts',
  'tax',
  'settings',
  'staff',
  'customers',
  'identity',
  'identity-providers',
  'catalog',
  'questions',
  'wishlist',
  'remote-catalog',
  'coupons',
  'vouchers',
  'affiliates',
  'cart',
  'orders',
  'payments',
  'checkout',
  'subscriptions',
  'refunds',
  'returns',
  'marketing',
  'webhooks',
  'reports',
  'super-admin',
]

/** What each top folder may import of the others. `shared` knows neither the web nor a gateway. */
const TOP: Record<string, string[]> = {
  shared: ['shared'],
  api: ['api', 'shared'],
  workers: ['workers', 'shared'],
  migrations: ['migrations', 'shared'],
}
const NOT_IN_SHARED = ['koa', '@koa/router', 'koa-body', 'stripe', 'nodemailer', 'openid-client', 'undici']

interface Import {
  file: string
  target: string
}

async function importsOf(top: string): Promise<Import[]> {
  const imports: Import[] = []
  for await (const file of glob(`${top}/**/*.ts`)) {
    const source = await readFile(file, 'utf8')
    for (const [, target = ''] of source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g))
      imports.push({ file, target: resolve(file, target) })
  }
  return imports
}

const resolve = (file: string, target: string) => {
  if (target.startsWith('.')) return normalize(join(dirname(file), target))
  return target.startsWith('#') ? target.slice(1) : target
}

const offence = ({ file, target }: Import) => `${file} imports ${target}`

for (const [top, allowed] of Object.entries(TOP)) {
  test(`${top} imports ${allowed.join(' and ')} alone`, async () => {
    const others = Object.keys(TOP)
      .concat('test')
      .filter((name) => !allowed.includes(name))
    const wrong = (await importsOf(top)).filter(({ target }) => others.includes(target.split('/')[0] ?? ''))
    assert.deepEqual(wrong.map(offence), [])
  })
}

test('shared knows neither the web nor a gateway', async () => {
  const wrong = (await importsOf('shared')).filter(({ target }) => NOT_IN_SHARED.includes(target))
  assert.deepEqual(wrong.map(offence), [])
})

test('a domain imports only what stands left of it', async () => {
  const wrong = (await importsOf('shared')).filter(({ file, target }) => {
    const [, from = ''] = file.split('/')
    const [top, to = ''] = target.split('/')
    if (top !== 'shared' || from.endsWith('.ts')) return false
    return DOMAINS.indexOf(to) < 0 || DOMAINS.indexOf(to) > DOMAINS.indexOf(from)
  })
  assert.deepEqual(wrong.map(offence), [])
})

test('every domain stands in the order', async () => {
  const known = new Set(DOMAINS)
  const folders = new Set<string>()
  for await (const file of glob('shared/*/*.ts')) folders.add(file.split('/')[1] ?? '')
  assert.deepEqual(
    [...folders].filter((folder) => !known.has(folder)),
    [],
  )
})

test('no folder imports its own barrel: there is none', async () => {
  const barrels: string[] = []
  for await (const file of glob('{api,workers,shared}/**/index.ts')) barrels.push(file)
  assert.deepEqual(barrels, [])
})
