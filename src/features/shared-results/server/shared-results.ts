import { findShared } from './find-shared.ts'
import { withdrawShared } from './share-result.ts'

export const sharedResults = { find: findShared, withdraw: withdrawShared }
