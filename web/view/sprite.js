// The faces of the cards: one file, put into the page once, so that styles reach its parts.

export async function loadCards() {
  const response = await fetch(new URL("../cards.svg", import.meta.url));
  const { documentElement } = new DOMParser().parseFromString(
    await response.text(),
    "image/svg+xml",
  );
  documentElement.setAttribute("class", "sprite");
  documentElement.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(documentElement, true));
}
