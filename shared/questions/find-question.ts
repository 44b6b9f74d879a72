import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Question } from './question.ts'
import { type QuestionWithProduct, questionsWithProducts } from './question-of-product.ts'

/** A question of the store. Throws `resource.not_found`. */
export async function findQuestion(tx: StoreTx, id: string): Promise<QuestionWithProduct> {
  const question = await questionsWithProducts(tx).findById(id)
  if (!question) throw CommonErrors.notFound()
  return question
}

/** As `findQuestion`, and nobody else changes it until the transaction ends. */
export async function lockQuestion(tx: StoreTx, id: string): Promise<QuestionWithProduct> {
  await Question.in(tx).findById(id).forNoKeyUpdate()
  return findQuestion(tx, id)
}
