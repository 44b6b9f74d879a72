import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import { QUESTION_STATUSES, type Question } from './question.ts'
import type { QuestionWithProduct } from './question-of-product.ts'

const said = {
  id: Uuid,
  author_name: Type.String(),
  body: Type.String({ description: 'Plain text' }),
  answer_body: { ...Nullable(Type.String()), description: 'Plain text; null while there is no answer' },
  answered_at: { ...Nullable(Timestamp), description: 'Null while there is no answer' },
  created_at: Timestamp,
}

/** An approved question as everyone sees it (interface document, section 2). */
export const ProductQuestionView = Shape(said)

/** What the one who asked is told. */
export const AskedQuestionView = Shape({
  ...said,
  status: Type.Enum([...QUESTION_STATUSES], { description: 'It is shown once it is approved' }),
})

const facts = {
  ...AskedQuestionView.properties,
  product_id: Uuid,
  product_slug: Type.String(),
  product_name: Type.String({ description: "In the store's default language" }),
  customer_id: { ...Nullable(Uuid), description: 'Null: a guest asked' },
  language: Type.String({ description: 'BCP 47: what the asker reads' }),
  updated_at: Timestamp,
}

/** A question as webhooks tell it: without the address of the one who asked. */
export const QuestionView = Shape(facts)

/** A question as staff see it. */
export const AdminQuestionView = Shape({ ...facts, author_email: Type.String() })

export const viewAskedQuestion = (question: Question): Static<typeof AskedQuestionView> => ({
  id: question.id,
  author_name: question.authorName,
  body: question.body,
  answer_body: question.answerBody,
  answered_at: toTimestampOrNull(question.answeredAt),
  created_at: toTimestamp(question.createdAt),
  status: question.status,
})

export const viewQuestion = (
  question: QuestionWithProduct,
  { defaultLanguage }: Store,
): Static<typeof QuestionView> => ({
  ...viewAskedQuestion(question),
  product_id: question.productId,
  product_slug: question.productSlug,
  product_name: pickText(question.productNameI18n, defaultLanguage, defaultLanguage),
  customer_id: question.customerId,
  language: question.language,
  updated_at: toTimestamp(question.updatedAt),
})

export const viewAdminQuestion = (
  question: QuestionWithProduct,
  store: Store,
): Static<typeof AdminQuestionView> => ({
  ...viewQuestion(question, store),
  author_email: question.authorEmail,
})
