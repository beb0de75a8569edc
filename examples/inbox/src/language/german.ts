/** German by English. The English text of a message is its key: a message without a translation does not compile. */
export const german = {
  // Frame
  'Skip to content': 'Zum Inhalt springen',
  Documents: 'Dokumente',
  Playground: 'Playground',
  Views: 'Ansichten',
  Language: 'Sprache',
  'Signed in as': 'Angemeldet als',
  'Signed in as {name}': 'Angemeldet als {name}',
  'Service account': 'Dienstkonto',
  administrator: 'Administrationsrechte',
  'Page not found': 'Seite nicht gefunden',
  'There is no page at this URL.': 'Unter dieser Adresse gibt es keine Seite.',
  'Go to the inbox': 'Zum Eingang',
  'The page cannot be shown': 'Die Seite kann nicht angezeigt werden',
  'Start again': 'Neu starten',
  'Loading {what}…': 'Wird geladen: {what}',
  'Loading…': 'Wird geladen …',
  Unknown: 'Unbekannt',
  'Try again': 'Erneut versuchen',
  Cancel: 'Abbrechen',
  Close: 'Schließen',
  'Sending…': 'Wird gesendet …',

  Menu: 'Menü',
  'Keyboard shortcuts': 'Tastenkürzel',
  'Use these shortcuts': 'Diese Tastenkürzel verwenden',
  'Next document': 'Nächstes Dokument',
  'Previous document': 'Voriges Dokument',
  'Open the document': 'Dokument öffnen',
  'Select the document': 'Dokument auswählen',
  'Show the keyboard shortcuts': 'Tastenkürzel zeigen',
  Search: 'Suchen',

  // REST calls
  'REST calls': 'REST-Aufrufe',
  'What this page has sent': 'Was diese Seite gesendet hat',
  'The gateway has not reported any calls.': 'Das Gateway hat keine Aufrufe gemeldet.',

  // Errors
  'You are not allowed to see this.': 'Sie dürfen dies nicht sehen.',
  'You are not allowed to do this.': 'Sie dürfen dies nicht tun.',
  'A required object does not exist, or you are not allowed to see it.':
    'Ein benötigtes Objekt existiert nicht, oder Sie dürfen es nicht sehen.',
  'The request was rejected.': 'Die Anfrage wurde abgelehnt.',
  'The request needs too many calls of the document service.':
    'Die Anfrage erfordert zu viele Aufrufe des Dokumentendienstes.',
  'Someone else has changed the data. Check it, and try again.':
    'Jemand anderes hat die Daten geändert. Prüfen Sie sie, und versuchen Sie es erneut.',
  'The document service has changed nothing.': 'Der Dokumentendienst hat nichts geändert.',
  'The document service sent an invalid response.':
    'Der Dokumentendienst hat eine ungültige Antwort gesendet.',
  'An unexpected error occurred in the gateway.':
    'Im Gateway ist ein unerwarteter Fehler aufgetreten.',
  'The gateway reported an error.': 'Das Gateway hat einen Fehler gemeldet.',
  'The gateway does not accept this version of the page. Load it again.':
    'Das Gateway akzeptiert diese Version der Seite nicht. Laden Sie sie neu.',
  'There were too many requests. Wait a minute and try again.':
    'Es wurden zu viele Anfragen gesendet. Warten Sie eine Minute und versuchen Sie es erneut.',
  'Your sign-in has expired. Try again.': 'Ihre Anmeldung ist abgelaufen. Versuchen Sie es erneut.',
  'The document service did not respond in time. Try again.':
    'Der Dokumentendienst hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
  'The document service is not available at the moment. Try again later.':
    'Der Dokumentendienst ist zurzeit nicht verfügbar. Versuchen Sie es später erneut.',
  'The document service was interrupted. Check whether the change was made before you send it again.':
    'Der Dokumentendienst wurde unterbrochen. Prüfen Sie, ob die Änderung erfolgt ist, bevor Sie sie erneut senden.',
  'The gateway is restarting. Try again.':
    'Das Gateway wird neu gestartet. Versuchen Sie es erneut.',
  'The response of the gateway is incomplete. Try again.':
    'Die Antwort des Gateways ist unvollständig. Versuchen Sie es erneut.',
  'The gateway cannot be reached. Check your connection and try again.':
    'Das Gateway ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',

  'Your sign-in had expired. Nothing was sent: send it again.':
    'Ihre Anmeldung war abgelaufen. Es wurde nichts gesendet: Senden Sie erneut.',
  'The connection was lost. Check whether the change was made before you send it again.':
    'Die Verbindung wurde unterbrochen. Prüfen Sie, ob die Änderung erfolgt ist, bevor Sie sie erneut senden.',

  // Connection
  Connection: 'Verbindung',
  'The document service is not available.': 'Der Dokumentendienst ist nicht verfügbar.',
  'The gateway cannot be reached.': 'Das Gateway ist nicht erreichbar.',
  'The gateway is restarting.': 'Das Gateway wird neu gestartet.',
  'You are signed out.': 'Sie sind abgemeldet.',
  'You are offline.': 'Sie sind offline.',
  'There were too many requests.': 'Es wurden zu viele Anfragen gesendet.',
  'The connection is back. The data is current.':
    'Die Verbindung ist wieder da. Die Daten sind aktuell.',
  'The last data was received at {time}.': 'Die letzten Daten wurden um {time} empfangen.',
  'Try now': 'Jetzt versuchen',
  'Trying again…': 'Neuer Versuch …',
  'Next attempt in {seconds} s.': 'Nächster Versuch in {seconds} s.',

  // Views
  Inbox: 'Eingang',
  'My documents': 'Meine Dokumente',
  Repository: 'Ablage',
  Archive: 'Archiv',
  'All documents': 'Alle Dokumente',
  'No document waits for you.': 'Kein Dokument wartet auf Sie.',
  'You have not created any documents.': 'Sie haben keine Dokumente erstellt.',
  'The repository is empty.': 'Die Ablage ist leer.',
  'The archive is empty.': 'Das Archiv ist leer.',
  'There are no documents that you can see.': 'Es gibt keine Dokumente, die Sie sehen dürfen.',
  'The documents cannot be shown.': 'Die Dokumente können nicht angezeigt werden.',
  'Some of the data is missing.': 'Ein Teil der Daten fehlt.',
  documents: 'Dokumente',
  'No documents': 'Keine Dokumente',
  'No document matches the filter.': 'Kein Dokument entspricht dem Filter.',
  'The list ends before this page.': 'Die Liste endet vor dieser Seite.',
  '{view}, page {page}': '{view}, Seite {page}',
  '{from} to {to}': '{from} bis {to}',
  '{from} to {to} of {total} documents': '{from} bis {to} von {total} Dokumenten',
  '{from}–{to} of {total}': '{from}–{to} von {total}',
  'The list was updated.': 'Die Liste wurde aktualisiert.',
  Updated: 'Aktualisiert',
  Document: 'Dokument',
  Workflow: 'Workflow',
  Author: 'Autor',
  Created: 'Erstellt',
  Due: 'Fällig',
  Pages: 'Seiten',
  First: 'Erste',
  Previous: 'Zurück',
  Next: 'Weiter',
  Last: 'Letzte',
  'Page {page}': 'Seite {page}',
  'Page {page} of {count}': 'Seite {page} von {count}',
  Filter: 'Filter',
  Form: 'Formular',
  Phase: 'Phase',
  Status: 'Status',
  Tags: 'Schlagwörter',
  'Step, 0 to 100': 'Schritt, 0 bis 100',
  'Iteration, 0 to 100': 'Durchlauf, 0 bis 100',
  'Clear filter': 'Filter löschen',

  'Remove the condition {name}': 'Bedingung {name} entfernen',
  More: 'Mehr',
  'Search this page, or enter an ID': 'Diese Seite durchsuchen oder ID eingeben',
  'Title, organization or ID': 'Titel, Organisation oder ID',
  'Nothing on this page matches. A whole ID finds any document.':
    'Auf dieser Seite passt nichts. Eine ganze ID findet jedes Dokument.',
  Sort: 'Sortieren',
  Unsorted: 'Unsortiert',
  'Newest first': 'Neueste zuerst',
  'Oldest first': 'Älteste zuerst',
  'Due first': 'Fällige zuerst',
  'Due last': 'Fällige zuletzt',
  'Show the documents': 'Dokumente zeigen',
  'Show {count} documents': '{count} Dokumente zeigen',
  Amount: 'Betrag',
  'Changed, leaves this view': 'Geändert, verlässt diese Ansicht',
  'Documents were changed, and leave this view.':
    'Dokumente wurden geändert und verlassen diese Ansicht.',
  'No document that you can see has this ID.': 'Kein Dokument, das Sie sehen dürfen, hat diese ID.',
  'No person of this name is known here.': 'Hier ist keine Person dieses Namens bekannt.',
  Suggestions: 'Vorschläge',
  'Document without a title': 'Dokument ohne Titel',
  Overdue: 'Überfällig',
  'Go to the first page': 'Zur ersten Seite',
  'Show all of this view': 'Alle dieser Ansicht zeigen',
  'Create the first one': 'Das erste erstellen',
  'Show all documents': 'Alle Dokumente zeigen',

  // Workflow
  Draft: 'Entwurf',
  Approval: 'Freigabe',
  Signing: 'Unterzeichnung',
  Execution: 'Ausführung',
  Suspended: 'Ausgesetzt',
  Cancelled: 'Abgebrochen',
  Blocked: 'Gesperrt',
  Running: 'Läuft',
  Completed: 'Abgeschlossen',
  Declined: 'Abgelehnt',
  Archived: 'Archiviert',
  Published: 'Veröffentlicht',
  Approve: 'Freigeben',
  'Approve with changes': 'Mit Änderungen freigeben',
  Sign: 'Unterzeichnen',
  'Report as done': 'Als erledigt melden',
  Decline: 'Ablehnen',
  'Send to approval': 'Zur Freigabe senden',
  'Send to signing': 'Zur Unterzeichnung senden',
  'Send to execution': 'Zur Ausführung senden',
  'Send to the archive': 'Ins Archiv senden',
  'Send to the repository': 'In die Ablage senden',
  'Send again': 'Erneut senden',
  Suspend: 'Aussetzen',
  Resume: 'Fortsetzen',
  'Cancel the workflow': 'Workflow abbrechen',
  Block: 'Sperren',
  Delete: 'Löschen',

  // Document
  'the document': 'das Dokument',
  'The document cannot be shown.': 'Das Dokument kann nicht angezeigt werden.',
  'The document does not exist, or you are not allowed to see it.':
    'Das Dokument existiert nicht, oder Sie dürfen es nicht sehen.',
  'The document was changed. You see the current version.':
    'Das Dokument wurde geändert. Sie sehen die aktuelle Version.',
  'The document was changed while you are editing. Your entries are kept.':
    'Das Dokument wurde geändert, während Sie es bearbeiten. Ihre Eingaben bleiben erhalten.',
  'The document no longer exists, or you are no longer allowed to see it.':
    'Das Dokument existiert nicht mehr, oder Sie dürfen es nicht mehr sehen.',
  'referring documents': 'verweisende Dokumente',
  'Referring documents': 'Verweisende Dokumente',
  'and {count} more': 'und {count} weitere',
  'Show more': 'Mehr anzeigen',
  'More documents are shown.': 'Es werden weitere Dokumente angezeigt.',
  'the recognized text': 'der erkannte Text',
  'Recognized text': 'Erkannter Text',
  Properties: 'Eigenschaften',
  ID: 'ID',
  Step: 'Schritt',
  '{step} (iteration {iteration})': '{step} (Durchlauf {iteration})',
  Revision: 'Revision',
  Values: 'Werte',
  Files: 'Dateien',
  'The document has no files.': 'Das Dokument hat keine Dateien.',
  View: 'Ansehen',
  'View {name}': 'Ansehen: {name}',
  Hide: 'Ausblenden',
  'Hide {name}': 'Ausblenden: {name}',
  Download: 'Herunterladen',
  'Download {name}': '{name} herunterladen',
  '{name} cannot be loaded. Try again later.':
    '{name} kann nicht geladen werden. Versuchen Sie es später erneut.',
  'This kind of file cannot be shown here. Download it instead.':
    'Diese Art von Datei kann hier nicht angezeigt werden. Laden Sie sie herunter.',
  'The file is too large to be shown here. Download it instead.':
    'Die Datei ist zu groß, um hier angezeigt zu werden. Laden Sie sie herunter.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file does not exist.': 'Die Datei existiert nicht.',
  Recognition: 'Erkennung',
  'Recognized PDF of {document}': 'Erkanntes PDF von {document}',
  'Recognized data': 'Erkannte Daten',
  Validated: 'Geprüft',
  'Not validated': 'Nicht geprüft',
  'Confidence {percent} %': 'Konfidenz {percent} %',
  'Show pages {first} to {last}': 'Seiten {first} bis {last} zeigen',
  'Show page {page}': 'Seite {page} zeigen',

  'Back to {view}': 'Zurück zu {view}',
  History: 'Verlauf',
  '{name} created the document': '{name} hat das Dokument erstellt',
  'Last change, revision {revision}': 'Letzte Änderung, Revision {revision}',
  'In {phase} now, step {step}': 'Jetzt in {phase}, Schritt {step}',
  'Not visible to you': 'Für Sie nicht sichtbar',
  Sum: 'Summe',
  'Only its author and administrators can move it.':
    'Nur der Autor und die Administration können es verschieben.',
  File: 'Datei',
  '{type} file': '{type}-Datei',
  'The same as in the document: {labels}.': 'Wie im Dokument: {labels}.',
  'Other recognized values': 'Weitere erkannte Werte',

  // Actions
  Actions: 'Aktionen',
  Move: 'Verschieben',
  Action: 'Aktion',
  'Select an action': 'Aktion auswählen',
  '{action}: {document}': '{action}: {document}',
  'Delete the document for everyone. This cannot be undone.':
    'Das Dokument für alle löschen. Das kann nicht rückgängig gemacht werden.',
  'your response': 'Ihre Antwort',
  'Your response': 'Ihre Antwort',
  'Your response cannot be read.': 'Ihre Antwort kann nicht gelesen werden.',
  'No response is expected from you in this phase.':
    'In dieser Phase wird keine Antwort von Ihnen erwartet.',
  Comment: 'Kommentar',
  'Tags, separated by commas': 'Schlagwörter, durch Kommas getrennt',
  'Someone else has changed the document: you see revision {seen}, and the current one is {current}. Nothing was written, and your entries are kept.':
    'Jemand anderes hat das Dokument geändert: Sie sehen Revision {seen}, die aktuelle ist {current}. Es wurde nichts geschrieben, und Ihre Eingaben bleiben erhalten.',
  'You see the current version now, revision {current}. Your entries are kept: check them, and send them again.':
    'Sie sehen jetzt die aktuelle Version, Revision {current}. Ihre Eingaben bleiben erhalten: Prüfen Sie sie, und senden Sie sie noch einmal.',
  '{document}: the action failed.': '{document}: Die Aktion ist fehlgeschlagen.',
  '{document}: the action failed, or its outcome is unknown.':
    '{document}: Die Aktion ist fehlgeschlagen, oder ihr Ergebnis ist unbekannt.',
  'Earlier action': 'Frühere Aktion',
  'Show the document': 'Dokument anzeigen',
  'Required role: {role}.': 'Erforderliche Rolle: {role}.',
  'Show the current version': 'Aktuelle Version anzeigen',

  // New document
  'New document': 'Neues Dokument',
  'the forms': 'die Formulare',
  'The forms cannot be shown.': 'Die Formulare können nicht angezeigt werden.',
  'Only people who are allowed to read the forms can create documents.':
    'Nur wer die Formulare lesen darf, kann Dokumente erstellen.',
  'There are no forms that you can use.': 'Es gibt keine Formulare, die Sie verwenden können.',
  '(required)': '(erforderlich)',
  None: 'Keine Auswahl',
  Organizations: 'Organisationen',
  'Select a form': 'Formular auswählen',
  'Select a form.': 'Wählen Sie ein Formular aus.',
  'Read the forms again': 'Formulare neu laden',
  'This form no longer exists. Select another one: your entries are kept.':
    'Dieses Formular existiert nicht mehr. Wählen Sie ein anderes: Ihre Eingaben bleiben erhalten.',
  'Enter a value.': 'Geben Sie einen Wert ein.',
  'Enter a name for each column that has cells.':
    'Geben Sie jeder Spalte, die Zellen hat, einen Namen.',
  'You can paste cells from a spreadsheet.':
    'Sie können Zellen aus einer Tabellenkalkulation einfügen.',
  'Name of column {column}': 'Name der Spalte {column}',
  'Column {column}': 'Spalte {column}',
  Column: 'Spalte',
  Row: 'Zeile',
  '{column}, row {row}': '{column}, Zeile {row}',
  'Remove row {row}': 'Zeile {row} entfernen',
  'Search by name': 'Nach Namen suchen',
  'Nothing has this name.': 'Nichts hat diesen Namen.',
  'None of the latest documents. Enter a whole ID, such as DOC-0042.':
    'Keines der letzten Dokumente. Geben Sie eine ganze ID ein, zum Beispiel DOC-0042.',
  'Enter a number such as {example}': 'Geben Sie eine Zahl wie {example} ein',
  'Enter a date such as {example}': 'Geben Sie ein Datum wie {example} ein',
  'Correct the marked cells.': 'Korrigieren Sie die markierten Zellen.',
  '“{text}” is no number such as {example}': '„{text}“ ist keine Zahl wie {example}',
  '“{text}” is no date such as {example}': '„{text}“ ist kein Datum wie {example}',
  'Pasted rows: {count}. Numbers are read like {example}':
    'Eingefügte Zeilen: {count}. Zahlen werden wie {example} gelesen',
  'These numbers are not added.': 'Diese Zahlen werden nicht addiert.',
  'No sum: 1 cell is no number': 'Keine Summe: 1 Zelle ist keine Zahl',
  'No sum: {count} cells are no numbers': 'Keine Summe: {count} Zellen sind keine Zahlen',
  'The sum of {column} is the {field}.': 'Die Summe {column} entspricht dem Feld {field}.',
  'The sum of {column} differs from the {field} of {total} by {difference}.':
    'Die Summe {column} weicht vom Feld {field} ({total}) um {difference} ab.',
  'The {field} is empty.': 'Das Feld {field} ist leer.',
  'Use {sum} as {field}': '{sum} als {field} übernehmen',
  'Complete this value, or clear it.': 'Vervollständigen oder löschen Sie diesen Wert.',
  'ID of an organization': 'ID einer Organisation',
  'ID of a list value': 'ID eines Listenwerts',
  'Select files…': 'Dateien auswählen …',
  'or drop them on this page': 'oder auf dieser Seite ablegen',
  'Folders cannot be added. Add the files that they contain.':
    'Ordner können nicht hinzugefügt werden. Fügen Sie die enthaltenen Dateien hinzu.',
  'Added: {names}': 'Hinzugefügt: {names}',
  'Removed: {name}': 'Entfernt: {name}',
  Remove: 'Entfernen',
  'Remove {name}': '{name} entfernen',
  'Together: {size}': 'Insgesamt: {size}',
  'Files that can no longer be read: {names}. Remove them, or select them again.':
    'Nicht mehr lesbare Dateien: {names}. Entfernen Sie sie, oder wählen Sie sie erneut aus.',
  'After creation': 'Nach dem Erstellen',
  'Keep as a draft': 'Als Entwurf behalten',
  'Create document': 'Dokument erstellen',
  'Sending the document.': 'Das Dokument wird gesendet.',
  Upload: 'Upload',
  'Cancel upload': 'Upload abbrechen',
  '{percent} %: {sent} of {total}': '{percent} %: {sent} von {total}',
  'Everything was sent. The document service stores the document…':
    'Alles wurde gesendet. Der Dokumentendienst speichert das Dokument …',
  'The document {document} was created.': 'Das Dokument {document} wurde erstellt.',
  'The action failed:': 'Die Aktion ist fehlgeschlagen:',
  'No document was created. Your entries are kept.':
    'Es wurde kein Dokument erstellt. Ihre Eingaben bleiben erhalten.',
  'The document may exist. Look for it in “My documents” before you create it again.':
    'Das Dokument existiert möglicherweise. Suchen Sie es unter „Meine Dokumente“, bevor Sie es erneut erstellen.',
  'You cancelled after everything had been sent.':
    'Sie haben abgebrochen, nachdem alles gesendet war.',
  'The upload was cancelled.': 'Der Upload wurde abgebrochen.',
  'The connection was lost before the gateway answered.':
    'Die Verbindung wurde unterbrochen, bevor das Gateway geantwortet hat.',
  'The connection was closed during the upload.':
    'Die Verbindung wurde während des Uploads geschlossen.',
  'If this happens again, the files may be too large.':
    'Wenn das wieder geschieht, sind die Dateien möglicherweise zu groß.',
  'The files are too large: all together can have at most {size}.':
    'Die Dateien sind zu groß: Sie dürfen zusammen höchstens {size} groß sein.',
  'There are too many files: a document can have at most {count}.':
    'Es sind zu viele Dateien: Ein Dokument darf höchstens {count} haben.',
  'Leave this page?': 'Diese Seite verlassen?',
  'What you entered is not saved.': 'Ihre Eingaben sind nicht gespeichert.',
  'Your entries are kept as a draft until you close this tab.':
    'Ihre Eingaben bleiben als Entwurf erhalten, bis Sie diesen Tab schließen.',
  'The chosen files are not kept: {names}':
    'Die ausgewählten Dateien bleiben nicht erhalten: {names}',
  'These files were not kept. Select them again: {names}':
    'Diese Dateien sind nicht erhalten geblieben. Wählen Sie sie erneut aus: {names}',
  Stay: 'Bleiben',
  Leave: 'Verlassen',
  'Discard the draft': 'Entwurf verwerfen',
  'Leave and discard': 'Verlassen und verwerfen',

  // Several documents
  'Move…': 'Verschieben …',
  'Approve {count}': '{count} freigeben',
  'Approve {count} with changes': '{count} mit Änderungen freigeben',
  'Sign {count}': '{count} unterzeichnen',
  'Report {count} as done': '{count} als erledigt melden',
  'Decline {count}': '{count} ablehnen',
  'None of them awaits your response.': 'Keines davon wartet auf Ihre Antwort.',
  'No response: {count} of {total} do not await yours.':
    'Keine Antwort: {count} von {total} warten nicht auf Ihre.',
  'Only authors and people with the role {role} can move them.':
    'Nur Autoren und Personen mit der Rolle {role} können sie verschieben.',
  'No action is possible for all of them.': 'Keine Aktion ist für alle möglich.',
  Selection: 'Auswahl',
  'Select {document}': '{document} auswählen',
  'Selected documents': 'Ausgewählte Dokumente',
  '{count} selected': '{count} ausgewählt',
  'Select all {count}': 'Alle {count} auswählen',
  'Clear selection': 'Auswahl aufheben',
  'Apply to {count}': 'Auf {count} anwenden',
  'Delete the documents for everyone. This cannot be undone.':
    'Die Dokumente für alle löschen. Das kann nicht rückgängig gemacht werden.',
  '{action}: {done} of {count} documents': '{action}: {done} von {count} Dokumenten',
  Done: 'Erledigt',
  'Not executed. {reason}': 'Nicht ausgeführt. {reason}',
  'Someone else has changed the document, and nothing was written. Check it, and try again.':
    'Jemand anderes hat das Dokument geändert, und es wurde nichts geschrieben. Prüfen Sie es, und versuchen Sie es erneut.',
  'The outcome is unknown: the document may have been changed. Open it before you try again.':
    'Das Ergebnis ist unbekannt: Das Dokument wurde möglicherweise geändert. Öffnen Sie es, bevor Sie es erneut versuchen.',
} as const;
