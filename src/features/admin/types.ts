import type * as schemas from './schemas.ts'

export type Figures = typeof schemas.figures.infer

export type Dashboard = typeof schemas.dashboardSchema.infer

export type Funnel = typeof schemas.funnelSchema.infer

export type GenerationCosts = typeof schemas.generationCostsSchema.infer
export type GenerationCostsRow = GenerationCosts['items'][number]

export type UserSummary = typeof schemas.userSummarySchema.infer

export type TimelineEntry = (typeof schemas.timelineSchema.infer)['items'][number]

export type Health = typeof schemas.healthSchema.infer

export type Failures = typeof schemas.failuresSchema.infer

export type MailTemplates = typeof schemas.mailTemplatesSchema.infer

export type MailPreview = typeof schemas.mailPreviewSchema.infer
