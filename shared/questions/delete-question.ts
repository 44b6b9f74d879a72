import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockQuestion, Question } from './question.ts'

/** Deletes a question with its answer permanently. Throws `resource.not_found`. */
export async function deleteQuestion(tx: StoreTx, id: string): Promise<void> {
  const { status } = await lockQuestion(tx, id)
  await Question.in(tx).findById(id).delete()
  if (status === 'approved') bumpCatalogVersion(tx)
}
