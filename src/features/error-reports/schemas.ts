import { type } from '#shared/schema.ts'

/** Kept after the last occurrence. */
export const errorReportDays = 30

export const errorReportInput = type({
  part: type.enumerated('page', 'worker'),
  message: 'string <= 300',
  place: type('string <= 500').describe('build files with line and column'),
})

export const errorReportsSchema = type({
  items: type({
    part: type.enumerated('page', 'worker'),
    version: 'string',
    message: 'string',
    place: 'string',
    count: 'number.integer >= 0',
    networks: type('number.integer >= 0').describe('networks that reported it within the last week, counted up to 50'),
    firstAt: 'string',
    lastAt: 'string',
  }).array(),
})
export type ErrorReports = typeof errorReportsSchema.infer
