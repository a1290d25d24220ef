"""A phone's browser as the camera and the microphone of the table."""

from assistant.page.phone.phone import Phone as Phone
