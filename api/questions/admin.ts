import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { changeQuestion as change } from '#shared/questions/change-question.ts'
import { deleteQuestion as remove } from '#shared/questions/delete-question.ts'
import { findQuestion } from '#shared/questions/find-question.ts'
import { listQuestions as list } from '#shared/questions/list-questions.ts'
import type { QuestionOfProduct } from '#shared/questions/question-of-product.ts'
import { AdminQuestionView, viewAdminQuestion } from '#shared/questions/view.ts'
import type { Store } from '#shared/stores/store.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { questionExample } from './examples.ts'
import { QuestionChange, QuestionParams, QuestionsQuery } from './schemas.ts'

const tagged = (question: QuestionOfProduct, store: Store) =>
  reply(200, viewAdminQuestion(question, store), { ETag: entityTag(question) })

export const listQuestions = endpoint({
  method: 'get',
  path: '/admin/questions',
  access: staff('content:read'),
  paginated: true,
  summary: 'List the questions about products, those that wait for a decision among them',
  query: QuestionsQuery,
  returns: [200, Type.Array(AdminQuestionView)],
  example: { data: [questionExample] },
  async handle({ tx, store, query }) {
    const { questions, total } = await list(tx, query)
    return page(
      questions.map((question) => viewAdminQuestion(question, store)),
      total,
      query,
    )
  },
})

export const readQuestion = endpoint({
  method: 'get',
  path: '/admin/questions/:id',
  access: staff('content:read'),
  summary: 'Read a question about a product',
  params: QuestionParams,
  returns: [200, AdminQuestionView],
  errors: [CommonErrors.notFound],
  example: { data: questionExample },
  async handle({ tx, store, params }) {
    return tagged(await findQuestion(tx, params.id), store)
  },
})

export const changeQuestion = endpoint({
  method: 'patch',
  path: '/admin/questions/:id',
  access: staff('content:write'),
  summary: 'Approve, reject or answer a question',
  description:
    'Approved questions are shown, with their answer where there is one. The first answer is mailed to the asker, ' +
    'whether or not the question is shown; later changes of it are not.',
  params: QuestionParams,
  body: QuestionChange,
  returns: [200, AdminQuestionView],
  errors: [CommonErrors.notFound, CommonErrors.changed],
  example: {
    body: { status: 'approved', answer_body: questionExample.answer_body },
    data: questionExample,
  },
  async handle({ tx, store, params, body, request }) {
    return tagged(await change(tx, store, params.id, body, request.headers['if-match']), store)
  },
})

export const deleteQuestion = endpoint({
  method: 'delete',
  path: '/admin/questions/:id',
  access: staff('content:write'),
  summary: 'Delete a question with its answer',
  description: 'For good. To take it out of the shop and keep it, reject it.',
  params: QuestionParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound],
  example: { data: null },
  async handle({ tx, params }) {
    await remove(tx, params.id)
    return null
  },
})
