import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { findCircles, toGraph } from '#test/rules/support/circles.ts'
import { type Import, importsOf, readSources, spellingOf } from '#test/rules/support/sources.ts'

/**
 * A domain of `shared` may import itself and the domains before it in this list. `mail` is near the start: it knows how
 * a mail is written and queued, and each domain after it writes its own mails. `identity` signs in every kind of
 * principal; customers, staff and super-admin describe theirs to it, so they follow it. `visits` finds the link that
 * led to an order, so it precedes checkout; `campaigns` and `affiliates` count the orders of their links, so they
 * follow orders. `customer-records` is near the end: it reads and erases what every domain keeps of one customer.
 * `accounts` follows it and `cart`: a sign-in merges the guest's cart, and a password reset can delete a customer's
 * data.
 */
const DOMAINS = [
  'platform',
  'audit',
  'geo',
  'stores',
  'mail',
  'identity',
  'tax',
  'payment-methods',
  'shipping-methods',
  'staff',
  'imports',
  'customers',
  'identity-providers',
  'inventory',
  'recurring-plans',
  'images',
  'catalog',
  'questions',
  'content-pages',
  'wishlist',
  'remote-catalog',
  'coupons',
  'vouchers',
  'visits',
  'cart',
  'orders',
  'campaigns',
  'payments',
  'refunds',
  'settlement',
  'checkout',
  'subscriptions',
  'disputes',
  'affiliates',
  'returns',
  'order-mails',
  'subscription-mails',
  'order-history',
  'webhooks',
  'integrations',
  'reports',
  'reconciliation',
  'customer-records',
  'accounts',
  'super-admin',
]

/** The folders that each top folder may import. */
const TOP: Record<string, string[]> = {
  shared: ['shared'],
  api: ['api', 'shared'],
  workers: ['workers', 'shared'],
  migrations: ['migrations', 'shared'],
}
const NOT_IN_SHARED = ['koa', '@koa/router', 'koa-body', 'stripe', 'nodemailer', 'openid-client', 'undici']

const imports = new Map<string, Import[]>()
for (const top of Object.keys(TOP)) imports.set(top, importsOf(await readSources(top)))

const importsIn = (top: string): Import[] => imports.get(top) ?? []
const describe = ({ file, target }: Import): string => `${file} imports ${target}`
/** Whether a file is in a folder of `api`, `workers` or `shared`, not directly in one of them. */
const isInFolder = (path: string): boolean => path.split('/').length > 2

for (const [top, allowed] of Object.entries(TOP))
  test(`${top} imports only ${allowed.join(' and ')}`, () => {
    const others = [...Object.keys(TOP), 'test'].filter((name) => !allowed.includes(name))
    const wrong = importsIn(top).filter(({ target }) => others.includes(target.split('/')[0] ?? ''))
    assert.deepEqual(wrong.map(describe), [])
  })

test('shared imports neither the web framework nor a gateway', () => {
  const wrong = importsIn('shared').filter(({ target }) => NOT_IN_SHARED.includes(target))
  assert.deepEqual(wrong.map(describe), [])
})

test('a domain imports only itself and the domains before it', () => {
  const wrong = importsIn('shared').filter(({ file, target }) => {
    const [, from = ''] = file.split('/')
    const [top, to = ''] = target.split('/')
    if (top !== 'shared' || from.endsWith('.ts')) return false
    return DOMAINS.indexOf(to) < 0 || DOMAINS.indexOf(to) > DOMAINS.indexOf(from)
  })
  assert.deepEqual(wrong.map(describe), [])
})

test('the list has every domain and nothing else', async () => {
  const folders = new Set<string>()
  for await (const file of glob('shared/*/**/*.ts')) folders.add(file.split('/')[1] ?? '')
  assert.deepEqual([...folders].sort(), [...DOMAINS].sort())
})

test('a circle is found once, and a chain is no circle', () => {
  const graph = toGraph([
    ['b', 'c'],
    ['c', 'a'],
    ['a', 'b'],
    ['c', 'd'],
    ['d', 'd'],
  ])
  assert.deepEqual(findCircles(graph), ['a -> b -> c -> a'])
})

test('no files import each other in a circle', () => {
  const edges = [...imports.values()].flat().map(({ file, target }) => [file, target] as const)
  assert.deepEqual(findCircles(toGraph(edges)), [])
})

const folderEdges = [...imports.values()]
  .flat()
  .filter(({ file, target }) => isInFolder(file) && isInFolder(target))
  .map(({ file, target }) => [dirname(file), dirname(target)] as const)

test('no folders import each other in a circle', () => {
  assert.deepEqual(findCircles(toGraph(folderEdges)), [])
})

test('no folder has a barrel file', async () => {
  const barrels = await Array.fromAsync(glob('{api,workers,shared}/**/index.ts'))
  assert.deepEqual(barrels, [])
})

test('an import of another folder starts with #, one of the same folder with ./', async () => {
  const all = [
    ...importsIn('api'),
    ...importsIn('workers'),
    ...importsIn('shared'),
    ...importsIn('migrations'),
  ]
  const wrong = all.filter((imported) => imported.spelling !== spellingOf(imported))
  assert.deepEqual(
    wrong.map(
      (imported) => `${imported.file} imports '${imported.spelling}': write '${spellingOf(imported)}'`,
    ),
    [],
  )
})

/** The processes that start for each image or page, and the packages they load. More would delay each start. */
const SHORT_PROCESSES: Record<string, string[]> = {
  'workers/images/image-process.ts': ['sharp'],
  'shared/content-pages/markdown-process.ts': ['markdown-it', 'sanitize-html'],
}

const valueImports = importsOf(
  (await Promise.all(Object.keys(TOP).map(readSources)))
    .flat()
    .map(({ path, text }) => ({ path, text: text.replace(/^import type .*$/gm, '') })),
)

for (const [file, packages] of Object.entries(SHORT_PROCESSES))
  test(`${file} loads no packages but ${packages.join(' and ')}`, () => {
    const loaded = new Set([file])
    for (const path of loaded)
      for (const { target } of valueImports.filter((imported) => imported.file === path)) loaded.add(target)

    const isFile = (target: string) => target.endsWith('.ts')
    assert.deepEqual([...loaded].filter((target) => !isFile(target)).sort(), packages)
    assert.ok(loaded.size < 10, [...loaded].join())
  })
