import { type } from '#shared/schema.ts'

// Years that both the database and calendars support.
const supportedMoment = type('string.date.iso.parse').to("d'2000-01-01' <= Date <= d'9999-12-31'")

/** A moment (ISO 8601), or a day of western Indonesian time, from midnight to midnight. */
const momentOrDay = (timeOfDay: string) =>
  type('string.date.iso')
    .pipe((text) => (text.length === 'yyyy-mm-dd'.length ? `${text}T${timeOfDay}+07:00` : text))
    .to(supportedMoment)

export const fromMoment = /* @__PURE__ */ momentOrDay('00:00:00.000')
/** Inclusive. */
export const untilMoment = /* @__PURE__ */ momentOrDay('23:59:59.999')

/** By default the thirty days that end today. */
export const daysInput = /* @__PURE__ */ type({ 'from?': fromMoment, 'to?': untilMoment })
