import { db } from '#shared/platform/db/db.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { rollUpStore } from '#workers/reports/roll-up-reports.ts'
import { median } from './median.ts'
import { fillYear } from './report-orders.ts'

const READS = [
  ...['sales?group=day', 'sales?group=month&compare=previous', 'sales?by=country', 'sales?by=customer_group'],
  ...['products', 'customers?group=month', 'customers?by=customer', 'coupons', 'vouchers', 'tax', 'shipping'],
  ...['returns', 'returns?by=product', 'inventory', 'marketing', 'affiliates'],
]

interface Subject {
  serviceUrl: string
  superuserUrl: string
  rounds: number
  orders: number
}

/** Reads every report of a year of a store with many orders: rows of the table. */
export async function measureReports({
  serviceUrl,
  superuserUrl,
  rounds,
  orders,
}: Subject): Promise<string[][]> {
  const store = await fillYear(orders, superuserUrl)
  const begun = performance.now()
  const days = await rollUpStore(store.id)
  const seconds = Math.round((performance.now() - begun) / 1_000)
  await db().raw('vacuum analyze report_facts, report_days')
  // Last: filling takes longer than an access token lives.
  const { token } = await buildStaff(store, { role: 'owner' })
  const day = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 10)
  const range = `date_from=${day(-364 * 86_400_000)}&date_to=${day(0)}`
  const count = orders.toLocaleString('en')
  const rows = [[`Sums of ${days} days of ${count} orders, stored`, '', `${seconds} s`, '', '']]
  for (const read of READS) {
    const url = `${serviceUrl}/api/v1/admin/reports/${read}${read.includes('?') ? '&' : '?'}${range}`
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const started = performance.now()
      const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
      const text = await response.text()
      if (response.status !== 200)
        throw new Error(`${read} answers ${response.status}: ${text.slice(0, 300)}`)
      times.push(performance.now() - started)
    }
    const figures = `${Math.round(median(times.slice(1)))} ms (first ${Math.round(times[0] ?? 0)} ms)`
    rows.push([`Report ${read}, a year of ${count} orders`, '', figures, '', '≤ 1 s'])
  }
  return rows
}
