import { type Static, Type } from 'typebox'
import { orEmptySql, timestampSql } from '#shared/catalog/storefront-context/sql.ts'
import { jsonFields, jsonSql, schemaOf } from '#shared/platform/db/json-fields.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { pickText } from '#shared/platform/text.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Question, QuestionWithProduct } from './question.ts'
import { QUESTION_STATUSES } from './states.ts'

const publicFields = jsonFields({
  id: [Uuid, 'id'],
  author_name: [Type.String(), 'author_name'],
  body: [Type.String({ description: 'Plain text' }), 'body'],
  answer_body: [
    Type.String({ description: 'Plain text; empty while there is no answer' }),
    orEmptySql('answer_body'),
  ],
  answered_at: [
    { ...Nullable(Timestamp), description: 'Null while there is no answer' },
    timestampSql('answered_at'),
  ],
  created_at: [Timestamp, timestampSql('created_at')],
})

/** An approved question in the storefront. */
export const ProductQuestionView = schemaOf(publicFields)

/** SQL of a `ProductQuestionView`. */
export const PRODUCT_QUESTION_JSON = jsonSql(publicFields)

/** A question as its author sees it. */
export const AskedQuestionView = Shape({
  ...ProductQuestionView.properties,
  status: Type.Enum([...QUESTION_STATUSES], { description: 'Only an approved question is public' }),
})

const facts = {
  ...AskedQuestionView.properties,
  product_id: Uuid,
  product_slug: Type.String(),
  product_name: Type.String({ description: "In the store's default language" }),
  customer_id: { ...Nullable(Uuid), description: 'Null: a guest asked' },
  language: Type.String({ description: 'BCP 47: the language of the author' }),
  updated_at: Timestamp,
}

/** A question in webhooks, without the author's address. */
export const QuestionView = Shape(facts)

/** A question as staff see it. */
export const AdminQuestionView = Shape({
  ...facts,
  author_email: Type.Optional(Type.String({ description: 'Absent without the right `customers:read`' })),
})

export const viewAskedQuestion = (question: Question): Static<typeof AskedQuestionView> => ({
  id: question.id,
  author_name: question.authorName,
  body: question.body,
  answer_body: toText(question.answerBody),
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
  { seesAddress }: { seesAddress: boolean },
): Static<typeof AdminQuestionView> => ({
  ...viewQuestion(question, store),
  ...(seesAddress ? { author_email: question.authorEmail } : {}),
})
