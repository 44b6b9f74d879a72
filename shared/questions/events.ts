import { defineEvent } from '#shared/platform/events/events.ts'
import { QuestionView } from './view.ts'

export const questionCreated = defineEvent(
  'question.created',
  'content',
  'A question about a product was asked',
  QuestionView,
)
