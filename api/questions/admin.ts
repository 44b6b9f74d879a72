import { staff } from '#api/platform/auth/access.ts'
import type { OptionalStaff } from '#api/platform/auth/callers.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { deleteQuestion as remove } from '#shared/questions/delete-question.ts'
import { listQuestions as list } from '#shared/questions/list-questions.ts'
import { findQuestion, type QuestionWithProduct } from '#shared/questions/question.ts'
import { updateQuestion as update } from '#shared/questions/update-question.ts'
import { AdminQuestionView, viewAdminQuestion } from '#shared/questions/view.ts'
import { holds } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import { questionExample } from './examples.ts'
import { QuestionParams, QuestionsQuery, UpdateQuestionRequest } from './schemas.ts'

const visibilityFor = (caller: OptionalStaff['staff']) => ({
  seesAddress: caller !== undefined && holds(caller, ['customers:read']),
})

const questions = new Resource({
  path: '/admin/questions',
  audit: {
    resource: 'questions',
    list: 'getAdminQuestions',
    read: 'getAdminQuestionsId',
    update: 'patchAdminQuestionsId',
    delete: 'deleteAdminQuestionsId',
  },
  params: QuestionParams,
  reads: staff('content:read'),
  writes: staff('content:write'),
  returns: AdminQuestionView,
  view: (question: QuestionWithProduct, store: Store, _language: string, { staff: caller }: OptionalStaff) =>
    viewAdminQuestion(question, store, visibilityFor(caller)),
  tag: entityTag,
  example: questionExample,
})

export const listQuestions = questions.list({
  summary: 'List the questions about products of every status',
  query: QuestionsQuery,
  handle: ({ tx, query, staff: caller }) => list(tx, query, visibilityFor(caller)),
})

export const readQuestion = questions.read({
  summary: 'Read a question about a product',
  handle: ({ tx, params }) => findQuestion(tx, params.id),
})

export const updateQuestion = questions.update({
  summary: 'Approve, reject or answer a question',
  description:
    'An approved question is public, with its answer if it has one. The first answer is mailed to the author, ' +
    'whatever the status; later changes of the answer are not.',
  body: UpdateQuestionRequest,
  example: {
    body: { status: 'approved', answer_body: questionExample.answer_body },
  },
  handle: ({ tx, store, params, body, ifMatch }) => update(tx, store, params.id, toCamelCase(body), ifMatch),
})

export const deleteQuestion = questions.delete({
  summary: 'Delete a question with its answer',
  description: 'It cannot be undone. To hide a question and keep it, reject it.',
  handle: ({ tx, params }) => remove(tx, params.id),
})
