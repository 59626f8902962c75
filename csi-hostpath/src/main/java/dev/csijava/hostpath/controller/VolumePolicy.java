package dev.csijava.hostpath.controller;

import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.settings.ModifySettings;

/**
 * What volumes may be made, and which may be deleted.
 *
 * @param sizes the sizes that are granted
 * @param promises the room that there is for them
 * @param modify the attributes that they may have
 * @param attached those that are attached, and so stay
 */
public record VolumePolicy(
    VolumeSizes sizes, Promises promises, ModifySettings modify, AttachedNodes attached) {}
