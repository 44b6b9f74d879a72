import assert from 'node:assert/strict'
import { buildStaff } from '#test/support/builders/accounts.ts'
import type { BuiltStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the report
export type Answered = any

/** Reads reports over HTTP as one who may read them. */
export const askAs =
  (token: string) =>
  async (report: string): Promise<Answered> => {
    const { status, data, error } = await request(`GET /admin/reports/${report}`, { token })
    assert.equal(status, 200, `${report}: ${error}`)
    return data
  }

/** Reads reports of a store over HTTP as an analyst. */
export async function reportReader(store: BuiltStore | { id: string }) {
  const { token } = await buildStaff(store, { role: 'analyst' })
  return askAs(token)
}
