import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { buildCustomer, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { type Load, measure } from './measure.ts'
import { median } from './median.ts'

const FEW = 1_000
const CONNECTIONS = 4

/** The lists that staff open most, and searches that find one customer and none. */
const READS = [
  ['Customers, newest first', '/admin/customers'],
  ['Customers who spent most', '/admin/customers?sort=-total_spent'],
  ['Customers by a word', '/admin/customers?q=customer-999'],
] as const

interface Subject {
  serviceUrl: string
  rounds: number
  seconds: number
  /** The customers of the large store. */
  customers: number
}

/** Reads of a store with many customers beside the same of a small store: rows of the table. */
export async function measureCustomers(subject: Subject): Promise<string[][]> {
  const small = await fill(FEW)
  const large = await fill(subject.customers)
  // Rows that were just inserted are read slower until they are vacuumed.
  await db().raw('vacuum analyze customers, customer_words')
  const rows: string[][] = []
  for (const [name, path] of READS) {
    const load = (token: string): Load => ({
      url: subject.serviceUrl,
      headers: { Authorization: `Bearer ${token}` },
      requests: [{ path: `/api/v1${path}` }],
      connections: CONNECTIONS,
    })
    await measure(load(large), 1)
    const pairs: { few: number; many: number }[] = []
    for (let round = 0; round < subject.rounds; round++)
      pairs.push({
        few: (await measure(load(small), subject.seconds)).perSecond,
        many: (await measure(load(large), subject.seconds)).perSecond,
      })
    const ms = (side: 'few' | 'many') =>
      `${((CONNECTIONS * 1_000) / median(pairs.map((pair) => pair[side]))).toFixed(1)} ms`
    const ratio = median(pairs.map(({ few, many }) => few / many))
    const count = subject.customers.toLocaleString('en')
    rows.push([
      `${name}, of ${count}`,
      `${ms('few')} (of ${FEW.toLocaleString('en')})`,
      ms('many'),
      `${ratio.toFixed(2)} ×`,
      '≤ 1.3 ×',
    ])
  }
  return rows
}

/** A store with this many customers. Returns the token of a member of its staff. */
async function fill(customers: number): Promise<string> {
  const store = await buildStore()
  // Its group is that of the others.
  const { id } = await buildCustomer(store)
  await inStore(store.id, async ({ knex, storeId }) => {
    await knex.raw(
      `insert into customers (store_id, id, email, email_normalized, firstname, lastname, customer_group_id, orders_count,
         total_spent_minor, last_order_at, created_at, updated_at)
       select ?, gen_random_uuid(), 'customer-' || n || '@example.com', 'customer-' || n || '@example.com', 'Ada',
         'Lovelace ' || n, one.customer_group_id, n % 7, n % 99991, at, at, at
       from (select customer_group_id from customers where id = ?) one, generate_series(1, ?::int) n
       cross join lateral (select now() - n * interval '1 minute' as at) placed`,
      [storeId, id, customers],
    )
    await knex('customer_counts').where('store_id', storeId).increment('customers', customers)
  })
  // Without it, the foreign key of each word would be checked by a plan for an empty table.
  await db().raw('analyze customers')
  await inStore(store.id, ({ knex, storeId }) =>
    knex.raw(
      `insert into customer_words (store_id, word, customer_id)
       select store_id, word, id from customers cross join lateral unnest(array[email, lower(firstname), lower(lastname)]) word
       where store_id = ? and id <> ?`,
      [storeId, id],
    ),
  )
  return (await buildStaff(store, { role: 'administrator' })).token
}
