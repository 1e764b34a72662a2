import type * as schemas from './schemas.ts'

export type ErrorReports = typeof schemas.errorReportsSchema.infer
