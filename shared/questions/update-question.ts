import { findCustomer } from '#shared/customers/customer.ts'
import { queueMailByStaff } from '#shared/mail/queue-mail.ts'
import { bumpCatalogVersion } from '#shared/platform/cache/catalog-version.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { pickText } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { questionAnsweredMail } from '#shared/questions/mails/answered.ts'
import type { Store } from '#shared/stores/store.ts'
import { lockQuestion, Question, type QuestionWithProduct } from './question.ts'
import { indexQuestions } from './question-words.ts'
import type { DECISIONS } from './states.ts'

/** The changes of a question; absent fields keep their values. Null removes the answer. */
export interface QuestionChanges {
  status?: (typeof DECISIONS)[number]
  answerBody?: string | null
}

/**
 * Approves, rejects or answers a question. The first answer is mailed to the author, in any status of the question.
 * Later answers are not mailed. Throws `resource.not_found`, `resource.changed` if `ifMatch` is outdated, and 429 past
 * 20 mails an hour to the author.
 */
export async function updateQuestion(
  tx: StoreTx,
  store: Store,
  id: string,
  { status, answerBody: answer }: QuestionChanges,
  ifMatch?: string,
): Promise<QuestionWithProduct> {
  const before = await lockQuestion(tx, id)
  assertUnchanged(before, ifMatch)
  const isFirstAnswer = Boolean(answer) && !before.answerMailedAt
  const changed = {
    ...(status ? { status } : {}),
    ...(answer === undefined ? {} : withAnswer(answer, before)),
    ...(isFirstAnswer ? { answerMailedAt: now() } : {}),
    updatedAt: nextUpdatedAt(before),
  }
  await Question.in(tx).findById(id).patch(changed)
  const after = before.with(changed)
  if (after.answerBody !== before.answerBody) await indexQuestions(tx, [after])

  if (before.status === 'approved' || after.status === 'approved') bumpCatalogVersion(tx)
  if (isFirstAnswer) await mailAnswer(tx, store, after)
  return after
}

const withAnswer = (answerBody: string | null, { answeredAt }: Question) =>
  answerBody === null ? { answerBody, answeredAt: null } : { answerBody, answeredAt: answeredAt ?? now() }

async function mailAnswer(
  tx: StoreTx,
  { defaultLanguage }: Store,
  question: QuestionWithProduct,
): Promise<void> {
  const { authorName: author, language, body, answerBody } = question
  const product = pickText(question.productNameI18n, language, defaultLanguage)
  const content = { product, author, question: body, answer: answerBody ?? '' }
  const recipient = { recordId: question.id, email: await addressOf(tx, question), language }
  await queueMailByStaff(tx, questionAnsweredMail, recipient, content)
}

/** Returns the present address of a customer. A former one may be somebody else's mailbox. */
const addressOf = async (tx: StoreTx, { customerId, authorEmail }: Question): Promise<string> =>
  customerId ? (await findCustomer(tx, customerId)).email : authorEmail
