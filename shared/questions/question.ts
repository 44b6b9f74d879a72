import { joinProducts } from '#shared/catalog/product.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import type { Texts } from '#shared/platform/text.ts'
import type { QuestionStatus } from './states.ts'

/** A question about a product. An approved question is public; the author's address never is. */
export class Question extends StoreModel {
  static override tableName = 'product_questions'

  declare productId: string
  /** Null if a guest asked. */
  declare customerId: string | null
  /** The public name. */
  declare authorName: string
  /** The address that a guest gave, or that of the customer's account at the time of the question. */
  declare authorEmail: string
  /** The language of the answer's mail (BCP 47). */
  declare language: string
  declare body: string
  declare status: QuestionStatus
  declare answerBody: string | null
  /** The time of the first answer; null without an answer. */
  declare answeredAt: Date | null
  /** The time at which the first answer was mailed to the author. */
  declare answerMailedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A question with the slug and the names of its product. */
export class QuestionWithProduct extends Question {
  declare productSlug: string
  declare productNameI18n: Texts
}

/** Returns the store's questions with their products, also deleted products. */
export const questionsWithProducts = (tx: StoreTx): QueryBuilderType<QuestionWithProduct> =>
  QuestionWithProduct.in(tx)
    .join(...joinProducts(Question.tableName))
    .select('product_questions.*', 'p.slug as product_slug', 'p.name_i18n as product_name_i18n')

/** A customer as the author of questions. */
export interface Author {
  customerId: string
  /** In lower case. */
  verifiedEmails: readonly string[]
}

/**
 * Returns a condition for questions of a customer, or of a guest with one of the customer's addresses. Questions of
 * other customers do not match, even with such an address: it can be a former address of their account.
 */
export const isOfPerson =
  ({ customerId, verifiedEmails }: Author) =>
  (asked: QueryBuilderType<Question>): void => {
    asked
      .where('product_questions.customer_id', customerId)
      .orWhere((guest) =>
        guest
          .whereNull('product_questions.customer_id')
          .whereRaw('lower(product_questions.author_email) = any(?)', [verifiedEmails]),
      )
  }

/** Returns a question of the store. Throws `resource.not_found`. */
export async function findQuestion(tx: StoreTx, id: string): Promise<QuestionWithProduct> {
  return assertFound(await questionsWithProducts(tx).findById(id))
}

/** Finds a question and locks its row until the transaction ends. Throws like `findQuestion`. */
export async function lockQuestion(tx: StoreTx, id: string): Promise<QuestionWithProduct> {
  await Question.in(tx).findById(id).forNoKeyUpdate()
  return findQuestion(tx, id)
}
