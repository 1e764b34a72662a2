import { type } from '#contract/schema.ts'

// A database and a calendar agree on these years.
const moment = type('string.date.iso.parse').to("d'2000-01-01' <= Date <= d'9999-12-31'")

/**
 * A moment, ISO 8601, or a day of western Indonesian time, which begins and ends at midnight there.
 */
const momentOrDay = (timeOfDay: string) =>
  type('string.date.iso')
    .pipe((text) => (text.length === 'yyyy-mm-dd'.length ? `${text}T${timeOfDay}+07:00` : text))
    .to(moment)

/** From this moment, or from the first of this day. */
export const fromMoment = /* @__PURE__ */ momentOrDay('00:00:00.000')
/** Until this moment, or until the last of this day; it is included. */
export const untilMoment = /* @__PURE__ */ momentOrDay('23:59:59.999')
