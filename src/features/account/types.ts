import type * as schemas from './schemas.ts'

export type TokenView = typeof schemas.tokenSchema.infer

export type Verification = typeof schemas.verificationSchema.infer

export type SignInMethods = typeof schemas.signInMethodsSchema.infer

export type Profile = typeof schemas.profileSchema.infer

export type ChangedProfile = typeof schemas.changedProfileSchema.infer

export type SessionView = typeof schemas.sessionSchema.infer

export type PasskeyView = typeof schemas.passkeySchema.infer

export type SecondFactorView = typeof schemas.secondFactorSchema.infer

export type TotpView = typeof schemas.totpSchema.infer

export type TotpConfirmed = typeof schemas.totpConfirmedSchema.infer

export type ResetFactors = typeof schemas.resetFactorsSchema.infer

export type ConsentView = typeof schemas.consentSchema.infer

export type Consents = typeof schemas.consentsSchema.infer
