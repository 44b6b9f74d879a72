import { Type } from 'typebox'
import { SlugParams } from '#api/catalog/schemas.ts'
import { guest, storefront } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { JsonText, Reply, reply } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { pageMeta } from '#shared/platform/db/list-query.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { askQuestion as ask } from '#shared/questions/ask-question.ts'
import { listApprovedQuestions } from '#shared/questions/list-approved-questions.ts'
import { AskedQuestionView, ProductQuestionView, viewAskedQuestion } from '#shared/questions/view.ts'
import { askedQuestionExample, productQuestionExample } from './examples.ts'
import { ApprovedQuery, CreateQuestionRequest } from './schemas.ts'

export const listProductQuestions = endpoint({
  method: 'get',
  path: '/products/:slug/questions',
  access: storefront,
  cached: true,
  paginated: true,
  summary: 'List the approved questions about a product',
  description: 'The newest first, also questions without an answer.',
  params: SlugParams,
  query: ApprovedQuery,
  returns: [200, Type.Array(ProductQuestionView)],
  errors: [CommonErrors.notFound],
  example: { data: [productQuestionExample] },
  async handle({ store, params, query }) {
    const { json, total } = await listApprovedQuestions(store.id, params.slug, query)
    return new Reply(new JsonText(json), { meta: pageMeta(total, query) })
  },
})

export const askQuestion = endpoint({
  method: 'post',
  path: '/products/:slug/questions',
  access: guest,
  limits: [limits.api, limits.questions],
  summary: 'Ask a question about a product',
  description:
    'The question is public once the store approves it. Its first answer is mailed to the author, in the language of ' +
    'this request. A guest must give `author_name` and `author_email`.',
  params: SlugParams,
  body: CreateQuestionRequest,
  returns: [201, AskedQuestionView],
  errors: [CommonErrors.notFound],
  example: {
    body: { author_name: 'Ada', author_email: 'ada@example.com', body: askedQuestionExample.body },
    data: askedQuestionExample,
  },
  async handle({ tx, store, customer, params, body, request: { language } }) {
    const asker = { customerId: customer?.id ?? null, language }
    return reply(201, viewAskedQuestion(await ask(tx, store, params.slug, asker, toCamelCase(body))))
  },
})
