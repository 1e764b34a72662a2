import type { Facts } from '#tools/contract/tool.ts'
import type * as schemas from './schemas.ts'

type WithFacts<View> = Omit<View, 'facts'> & { facts: Facts }

/** A stored file with its signed, expiring address. */
export type FileView = typeof schemas.fileView.infer
/** A file made by a generation. */
export type OutputView = typeof schemas.outputView.infer
/** A generation in every response and event. */
export type GenerationView = WithFacts<typeof schemas.generationView.infer>
/** 201 of POST /api/generations. */
export type GenerationCreated = WithFacts<typeof schemas.generationCreated.infer>
/** 200 of POST /api/tools/{tool}/preview. */
export type PreviewView = typeof schemas.previewView.infer
/** A refund request as its owner sees it. */
export type RefundRequestView = typeof schemas.refundRequestView.infer
/**
 * A refund request that awaits an admin. Staff open its pictures one by one, and each opening is
 * recorded.
 */
export type AdminRefundRequest = typeof schemas.adminRefundRequest.infer

/** 201 of POST /api/generations/{id}/claim */
export type RefundRequestAnswer = typeof schemas.refundRequestAnswer.infer
/** Settings of a tool by admins. */
export type ToolSettingsView = typeof schemas.toolSettings.infer
/** A task for providers. */
export type TaskView = typeof schemas.task.infer
export type ModelView = typeof schemas.model.infer
export type ProviderTestView = typeof schemas.providerTestView.infer
export type ComparisonView = typeof schemas.comparisonView.infer
export type ProviderView = typeof schemas.provider.infer
export type ProviderSettingsView = (typeof schemas.providerSettingsList.infer)['items'][number]
export type ProviderSettingsInput = typeof schemas.providerSettingsInput.infer
export type TaskOrderInput = typeof schemas.taskOrderInput.infer
/** Changes of these settings. */
export type ToolSettingsInput = typeof schemas.toolSettingsInput.infer
