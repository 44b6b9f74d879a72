import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { type BuiltStore, buildStore, nextNumber } from '#test/support/builders/store.ts'
import { type RequestOptions, request } from '#test/support/processes/app.ts'

/** A store with a product, someone to ask about it, and someone to answer. */
export async function buildQuestionScene(given: Parameters<typeof buildStore>[0] = {}) {
  return buildQuestions(await buildStore(given))
}

/** A product of a store, someone to ask about it, and someone to answer. */
export async function buildQuestions(store: BuiltStore) {
  const product = await buildProduct(store, { nameI18n: { en: 'Jacket', de: 'Jacke' } })
  const { token } = await buildStaff(store, { role: 'support' })
  const path = `/products/${product.slug}/questions`
  const guest = { author_name: 'Ada', author_email: `ada-${nextNumber()}@example.test` }
  return {
    store,
    product,
    token,
    path,
    guest,
    ask: (body: object = {}, asked: RequestOptions = {}) =>
      request(`POST ${path}`, { store, ...asked, body: { ...guest, body: 'Is it warm?', ...body } }),
    list: (query = '', asked: RequestOptions = {}) => request(`GET ${path}${query}`, { store, ...asked }),
    decide: (id: string, body: object, headers = {}) =>
      request(`PATCH /admin/questions/${id}`, { token, headers, body }),
    read: (id: string) => request(`GET /admin/questions/${id}`, { token }),
    admin: (query = '') => request(`GET /admin/questions${query}`, { token }),
    remove: (id: string) => request(`DELETE /admin/questions/${id}`, { token }),
  }
}

/** The texts of questions. */
export const bodies = (questions: { body: string }[]) => questions.map(({ body }) => body)

/** The status of a response with its faults. */
export const faultsOf = ({
  status,
  detail = [],
}: {
  status: number
  detail?: { loc: unknown; type: string }[]
}) => ({ status, faults: detail.map(({ loc, type }) => ({ loc, type })) })
