import { staff } from '#api/platform/auth/access.ts'
import { toCamelCase } from '#api/platform/input/read-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { deleteQuestion as remove } from '#shared/questions/delete-question.ts'
import { findQuestion } from '#shared/questions/find-question.ts'
import { listQuestions as list } from '#shared/questions/list-questions.ts'
import { updateQuestion as change } from '#shared/questions/update-question.ts'
import { AdminQuestionView, viewAdminQuestion } from '#shared/questions/view.ts'
import { questionExample } from './examples.ts'
import { QuestionChange, QuestionParams, QuestionsQuery } from './schemas.ts'

const questions = new Resource({
  path: '/admin/questions',
  audit: { resource: 'questions', change: 'patchAdminQuestionsId', remove: 'deleteAdminQuestionsId' },
  params: QuestionParams,
  reads: staff('content:read'),
  writes: staff('content:write'),
  returns: AdminQuestionView,
  view: viewAdminQuestion,
  tag: entityTag,
  example: questionExample,
})

export const listQuestions = questions.list({
  summary: 'List the questions about products, those that wait for a decision among them',
  query: QuestionsQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const readQuestion = questions.read({
  summary: 'Read a question about a product',
  handle: ({ tx, params }) => findQuestion(tx, params.id),
})

export const updateQuestion = questions.change({
  summary: 'Approve, reject or answer a question',
  description:
    'Approved questions are shown, with their answer where there is one. The first answer is mailed to the asker, ' +
    'whether or not the question is shown; later changes of it are not.',
  body: QuestionChange,
  example: {
    body: { status: 'approved', answer_body: questionExample.answer_body },
  },
  handle: ({ tx, store, params, body, ifMatch }) => change(tx, store, params.id, toCamelCase(body), ifMatch),
})

export const deleteQuestion = questions.remove({
  summary: 'Delete a question with its answer',
  description: 'For good. To take it out of the shop and keep it, reject it.',
  handle: ({ tx, params }) => remove(tx, params.id),
})
