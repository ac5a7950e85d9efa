// The deal of the day: the first deal of the weekday's grade from a number made of the date on.

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Grades by weekday: the week begins easy. */
const GRADES = [
  [9, 10],
  [1, 1],
  [2, 2],
  [3, 4],
  [5, 6],
  [6, 7],
  [8, 8],
];

/** What to ask the engine for, the same everywhere on this calendar day. @param {Date} date */
export function dailyRequest(date) {
  const day = isoDay(date);
  // Every day has a million numbers of its own.
  const seed = Number(day.replaceAll("-", "")) * 1_000_000;
  const grade = GRADES[date.getDay()];
  return {
    name: `Daily deal, ${WEEKDAYS[date.getDay()]} ${day}`,
    request: { from: { scheme: "klondike", seed }, grade, rules: "standard" },
  };
}

/** The day on the person's calendar, such as 2026-11-24. @param {Date} date */
export function isoDay(date) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
